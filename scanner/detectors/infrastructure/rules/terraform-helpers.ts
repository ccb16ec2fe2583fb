import { rulesOf, type Sight } from '../rule.ts';
import type { TerraformBlock } from '../terraform.ts';
import { at, isRecord, textOf, type Value } from '../value.ts';

/** Returns whether a value is known only when Terraform runs. */
export const isUnknown = (value: Value): boolean => textOf(value).includes('${');

/** Returns whether a body has an attribute, known or not. */
export const isSet = (body: Value, attribute: string): boolean => textOf(at(body, attribute)) !== '';

/** Returns the blocks of a name in a body. */
export const blocks = (body: Value, name: string): Value[] => {
  const value = at(body, name);
  return Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];
};

/** Returns whether blocks of a name are generated at run time. */
const isDynamic = (body: Value, name: string): boolean => at(body, 'dynamic', name) !== undefined;

/** Returns the values of an attribute (the last step of the path) in all blocks that match the other steps. */
function valuesAt(body: Value, path: string[]): Value[] {
  const [step, ...rest] = path;
  if (step === undefined) return [body];
  // Blocks that are known only when Terraform runs make the attribute unknown.
  if (rest.length === 0 || isUnknown(at(body, step))) return [at(body, step)];
  return blocks(body, step).flatMap((block) => valuesAt(block, rest));
}

export const textsIn = (value: Value): string[] => (Array.isArray(value) ? value : [value]).map(textOf).filter(Boolean);

/** CloudFormation types contain colons and come after the name. */
const blockName = ({ kind, type, name }: TerraformBlock): string =>
  type.includes('::')
    ? `${name} ${type}`
    : kind === 'provider'
      ? `provider.${type}`
      : `${kind === 'data' ? 'data.' : ''}${type}.${name}`;

/**
 * Returns the names in other tools that apply to a resource: `CKV_AWS_139@aws_rds_cluster` applies only to that type,
 * `…@type.name` only to its resource with this `name`.
 */
export const namesOn = (block: TerraformBlock, names: string[]): string[] =>
  names.flatMap((text) => {
    const [name = '', ...about] = text.split('@');
    const holds =
      about.length === 0 || about.includes(block.type) || about.includes(`${block.type}.${textOf(block.body.name)}`);
    return holds ? [name] : [];
  });

/** Returns the names in other tools without their types. */
export const bareNames = (names: string[]): string[] => [...new Set(names.map((text) => text.split('@')[0]!))];

export const onBlock = (block: TerraformBlock, evidence: string, key = ''): Sight => ({
  resource: `${blockName(block)}${key && ` ${key}`}`,
  evidence: evidence.slice(0, 300),
  ...(block.path !== undefined && { path: block.path }),
  startLine: block.startLine,
  endLine: block.endLine,
});

export const rule = rulesOf('terraform', [
  'https://registry.terraform.io/',
  'https://cheatsheetseries.owasp.org/cheatsheets/Infrastructure_as_Code_Security_Cheat_Sheet.html',
]);
type TerraformRule = Parameters<typeof rule>[0];

/** The types that rules have looked for so far. */
export const soughtTypes = new Set<string>();

/** Hundreds of rules each look for some types. */
const indexes = new WeakMap<TerraformBlock[], Map<string, TerraformBlock[]>>();

export function resources(found: TerraformBlock[], ...types: string[]): TerraformBlock[] {
  const index =
    indexes.get(found) ??
    Map.groupBy(
      found.filter(({ kind }) => kind === 'resource'),
      ({ type }) => type,
    );
  indexes.set(found, index);
  for (const type of types) soughtTypes.add(type);
  return types.flatMap((type) => index.get(type) ?? []);
}

type Expectation = Omit<TerraformRule, 'find' | 'matches' | 'misses'> & {
  types: string[];
  /** The attribute, preceded by the blocks that contain it, joined by dots. */
  attribute: string;
  isWrong(value: Value): boolean;
  /** Whether a missing attribute is wrong too. A block that may be generated at run time never counts as missing. */
  isMissingWrong: boolean;
  /** Whether another attribute decides, such as the snapshot from which a disk is created. */
  isExempt?: (body: Value) => boolean;
  /** Bodies of resources of the first type. */
  matches: string[];
  misses: string[];
};

/** Builds a rule for one attribute of resources of some types. */
export function attributeRule(expectation: Expectation) {
  const { types, attribute, isWrong, isMissingWrong, isExempt, matches, misses, ...texts } = expectation;
  const path = attribute.split('.');
  const wrap = (body: string) => `resource "${types[0]}" "a" {\n  ${body.split('; ').join('\n  ')}\n}\n`;
  return rule({
    ...texts,
    find: (found) =>
      resources(found, ...types).flatMap((block) => {
        if (isExempt?.(block.body)) return [];
        const values = valuesAt(block.body, path).filter((value) => value !== undefined && value !== null);
        const wrong = values.find((value) => !isUnknown(value) && isWrong(value));
        if (wrong !== undefined) return [onBlock(block, `${attribute} = ${JSON.stringify(wrong).slice(0, 100)}`)];
        const isMissing = values.length === 0 && isMissingWrong && !isDynamic(block.body, path[0]!);
        return isMissing ? [onBlock(block, `${attribute} is not set`)] : [];
      }),
    matches: matches.map(wrap),
    misses: misses.map(wrap),
  });
}

export const isOpen = (address: string): boolean => /^(?:0\.0\.0\.0\/0|::\/0|0::\/0|\*|internet|any)$/i.test(address);
