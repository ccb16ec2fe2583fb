import { parse } from '@ast-grep/napi';
import Ajv from 'ajv';
import { load } from 'js-yaml';
import { type Confidence, confidences } from '../../contract/confidence.ts';
import { severities } from '../../contract/severity.ts';
import { withoutCaseGroups } from '../../platform/case-groups.ts';
import { languages, registerGrammars } from './languages/index.ts';
import { placeKinds } from './languages/inputs.ts';
import { type LanguageName, languageNames } from './languages/language.ts';
import type { CodeRule, InputCondition } from './rule.ts';

/**
 * A rule in the form of a YAML file: docs/code.md explains the members. `matches` and `misses` are code that proves it.
 */
export type RuleFile = {
  id: string;
  language: LanguageName;
  title: string;
  severity: CodeRule['severity'];
  confidence?: Confidence;
  cwe: string[];
  description: string;
  remediation: string;
  references?: string[];
  keywords?: string[];
  file_containing?: string;
  except_paths?: string;
  rule: object;
  constraints?: Record<string, object>;
  utils?: Record<string, object>;
  input?: Omit<InputCondition, 'unlessAfter' | 'looksUpClass'> & { unless_after?: string; looks_up_class?: boolean };
  matches: string[];
  misses: string[];
};

const texts = { type: 'array', items: { type: 'string', minLength: 1 } };
const text = { type: 'string', minLength: 1 };
const place = { type: ['integer', 'string'], minimum: 1, minLength: 1 };
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'title', 'severity', 'cwe', 'description', 'remediation', 'rule', 'matches', 'misses'],
  properties: {
    id: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 100 },
    language: { enum: languageNames },
    title: { ...text, maxLength: 120 },
    severity: { enum: severities },
    confidence: { enum: confidences },
    cwe: { ...texts, minItems: 1, items: { type: 'string', pattern: '^CWE-[0-9]+$' } },
    description: text,
    remediation: text,
    references: texts,
    keywords: texts,
    file_containing: text,
    except_paths: text,
    rule: { type: 'object', minProperties: 1 },
    constraints: { type: 'object' },
    utils: { type: 'object' },
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['from'],
      properties: {
        argument: { anyOf: [place, { type: 'array', items: place, minItems: 1 }] },
        variable: text,
        from: { enum: ['request', 'caller', 'any', 'source', 'varying'] },
        source: text,
        except: text,
        own: text,
        into: { enum: placeKinds },
        looks_up_class: { type: 'boolean' },
        unchanged: { type: 'boolean' },
        whole: { type: 'boolean' },
        containing: text,
        unless_after: text,
      },
    },
    matches: { ...texts, minItems: 1 },
    misses: { ...texts, minItems: 1 },
  },
};

const validate = new Ajv.default({ allErrors: true, allowUnionTypes: true }).compile<RuleFile>(schema);

/**
 * Reads a rule from YAML. `folder` is the language of the file's folder. Throws an error whose message tells the rule's
 * author what is wrong. `proveRule` runs the rule's examples.
 */
export function parseRule(yaml: string, folder: string): CodeRule {
  const file = load(yaml);
  if (!validate(file)) {
    const errors = validate.errors!.map(({ instancePath, message, params }) => {
      const unknown = 'additionalProperty' in params ? ` (${params.additionalProperty})` : '';
      return `${instancePath.slice(1).replaceAll('/', '.') || 'the rule'} ${message}${unknown}`;
    });
    throw new Error(errors.join('; '));
  }
  const language = file.language ?? (folder as LanguageName);
  if (!languageNames.includes(language)) throw new Error(`"${language}" is not one of ${languageNames.join(', ')}`);
  const { id, title, severity, cwe, description, remediation, matches, misses } = file;
  for (const pattern of [
    file.file_containing,
    file.except_paths,
    file.input?.containing,
    file.input?.unless_after,
    file.input?.source,
    file.input?.except,
    file.input?.own,
  ])
    if (pattern) new RegExp(withoutCaseGroups(pattern));
  const input = file.input && withoutCaseGroupsIn(file.input);
  return {
    id,
    language,
    title,
    severity,
    confidence: file.confidence ?? 'high',
    cwe,
    matches,
    misses,
    description: description.trim(),
    remediation: remediation.trim(),
    references: file.references ?? [],
    keywords: file.keywords ?? [],
    fileContaining: file.file_containing ? withoutCaseGroups(file.file_containing) : null,
    exceptPaths: file.except_paths ? withoutCaseGroups(file.except_paths) : null,
    config: completeConfig(file, language),
    input: input ? { ...input, unlessAfter: input.unless_after, looksUpClass: input.looks_up_class } : null,
  };
}

const withoutCaseGroupsIn = <Input extends object>(input: Input): Input =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      /^(?:source|except|own|containing|unless_after)$/.test(name) ? withoutCaseGroups(value) : value,
    ]),
  ) as Input;

/** Throws an error if ast-grep can't use the rule, since ast-grep reports errors only on first use. */
export function requireUsable({ language, config }: CodeRule): void {
  registerGrammars();
  for (const parser of new Set(Object.values(languages[language].parsers))) parse(parser, ' ').root().find(config);
}

function completeConfig({ rule, constraints, utils }: RuleFile, language: LanguageName): CodeRule['config'] {
  const complete = languages[language].completePattern ?? ((pattern: string) => pattern);
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === 'pattern' && typeof inner === 'string' ? complete(inner) : walk(inner),
      ]),
    );
  };
  return walk({ rule, ...(constraints && { constraints }), ...(utils && { utils }) }) as CodeRule['config'];
}
