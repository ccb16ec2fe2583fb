import { type CollectionTag, Pair, Scalar, type ScalarTag, YAMLMap, type YAMLSeq } from 'yaml';
import type { TerraformBlock } from './terraform.ts';
import { at, entriesOf, isRecord, listOf, textOf, type Value } from './value.ts';
import { readYaml } from './yaml-documents.ts';

const functions = [
  'Sub',
  'GetAtt',
  'Join',
  'Select',
  'Split',
  'FindInMap',
  'If',
  'Equals',
  'And',
  'Or',
  'Not',
  'ImportValue',
  'Base64',
  'Cidr',
  'GetAZs',
  'Transform',
  'ToJsonString',
  'Length',
];
const maxDepth = 60;
const maxResources = 2_000;

/** `!Sub x` is short for `{ "Fn::Sub": x }`. */
const tags = [['Ref', 'Ref'], ['Condition', 'Condition'], ...functions.map((name) => [name, `Fn::${name}`])].flatMap(
  ([name = '', key = '']): Array<ScalarTag | CollectionTag> => {
    const wrap = (collection: YAMLMap | YAMLSeq) => {
      const map = new YAMLMap();
      map.items.push(new Pair(new Scalar(key), collection));
      map.range = collection.range;
      return map;
    };
    const tag = `!${name}`;
    return [
      { tag, resolve: (text) => ({ [key]: text }) },
      { tag, collection: 'seq', resolve: (collection) => wrap(collection as YAMLSeq) },
      { tag, collection: 'map', resolve: (collection) => wrap(collection as YAMLMap) },
    ];
  },
);

/**
 * Reads the resources of a template. Parameters have their defaults. Values that are known only when a stack is created
 * stay strings with `${…}`, as in Terraform.
 */
export function readCloudFormation(text: string): TerraformBlock[] | null {
  const document = readYaml(text, tags)[0];
  const template = document?.value;
  if (!document || !isRecord(at(template, 'Resources'))) return null;
  const parameters = defaultsOf(at(template, 'Parameters'));
  return entriesOf(at(template, 'Resources'))
    .slice(0, maxResources)
    .filter(([, resource]) => /^AWS::/.test(textOf(at(resource, 'Type'))))
    .map(([name, resource]) => {
      const body = resolve(at(resource, 'Properties') ?? {}, parameters, 0);
      const lines = document.linesOf(['Resources', name]);
      return { kind: 'resource', type: textOf(at(resource, 'Type')), name, body: isRecord(body) ? body : {}, ...lines };
    });
}

function defaultsOf(parameters: Value): Map<string, Value> {
  return new Map(
    entriesOf(parameters).flatMap(([name, parameter]): Array<[string, Value]> => {
      const value = at(parameter, 'Default');
      if (value === undefined || isRecord(value)) return [];
      const isList = /List/.test(textOf(at(parameter, 'Type'))) && typeof value === 'string';
      return [[name, isList ? value.split(',').map((item) => item.trim()) : value]];
    }),
  );
}

/** Returns undefined for a value that a template omits with `AWS::NoValue`. */
function resolve(value: Value, parameters: Map<string, Value>, depth: number): Value {
  if (depth > maxDepth) return '${…}';
  const inner = (item: Value) => resolve(item, parameters, depth + 1);
  if (Array.isArray(value)) return value.map(inner).filter((item) => item !== undefined);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const [[key, argument] = ['', undefined]] = entries;
  if (entries.length === 1 && (key === 'Ref' || key === 'Condition' || key.startsWith('Fn::')))
    return call(key, argument, parameters, inner);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, inner(item)] as const).filter(([, item]) => item !== undefined),
  );
}

function call(name: string, argument: Value, parameters: Map<string, Value>, inner: (value: Value) => Value): Value {
  const unknown = `\${${name} ${textOf(argument)}}`;
  switch (name) {
    case 'Ref':
      if (argument === 'AWS::NoValue') return undefined;
      return parameters.has(textOf(argument)) ? parameters.get(textOf(argument)) : `\${${textOf(argument)}}`;
    case 'Fn::Sub':
      return substitute(argument, parameters, inner);
    case 'Fn::Base64':
      return inner(argument);
    case 'Fn::If': {
      const [first, second] = [inner(listOf(argument)[1]), inner(listOf(argument)[2])];
      return JSON.stringify(first) === JSON.stringify(second) ? first : unknown;
    }
    case 'Fn::Join': {
      const items = inner(listOf(argument)[1]);
      return Array.isArray(items) ? items.map(textOf).join(textOf(listOf(argument)[0])) : unknown;
    }
    default:
      return unknown;
  }
}

function substitute(argument: Value, parameters: Map<string, Value>, inner: (value: Value) => Value): Value {
  const [text, names] = Array.isArray(argument) ? argument : [argument, {}];
  return textOf(text).replace(/\$\{([\w:.]+)\}/g, (all, name: string) => {
    const value = isRecord(names) && Object.hasOwn(names, name) ? inner(names[name]) : parameters.get(name);
    return typeof value === 'object' || value === undefined ? all : textOf(value);
  });
}
