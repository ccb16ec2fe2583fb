import { dirname, isAbsolute, join } from 'node:path';
import type { DataSourceKind } from '@assay/scanner/contract/detector.ts';
import { formats } from '@assay/scanner/readers/index.ts';
import { load, YAMLException } from 'js-yaml';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { checkPlaceholders } from './placeholders.ts';

const Arguments = Type.Array(Type.String({ maxLength: 2_000 }), { maxItems: 100 });
const ExitCodes = Type.Array(Type.Integer({ minimum: 0, maximum: 255 }));
const Text = Type.String({ minLength: 1, maxLength: 500 });
const strict = { additionalProperties: false } as const;

/** The schema of a tool's file; see docs/tools.md. */
const DescriptionFile = Type.Object(
  {
    type: Type.String({ pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', maxLength: 60 }),
    name: Text,
    description: Text,
    homepage: Type.Optional(Text),
    program: Type.Union([Text, Type.Array(Text, { minItems: 1 })]),
    needs_programs: Type.Optional(Type.Array(Text)),
    version: Type.Object({ arguments: Arguments, pattern: Type.Optional(Text) }, strict),
    format: Text,
    scan: Type.Partial(
      Type.Object(
        { git_repository: Arguments, website: Arguments, host: Arguments, container_image: Arguments },
        strict,
      ),
      { minProperties: 1, ...strict },
    ),
    ipv6_arguments: Type.Optional(Arguments),
    exit_codes: Type.Object(
      { clean: ExitCodes, findings: Type.Optional(ExitCodes), partial: Type.Optional(ExitCodes) },
      strict,
    ),
    empty_output: Type.Optional(Type.Union([Type.Literal('failure'), Type.Literal('clean')])),
    needs_files: Type.Optional(Type.Array(Text)),
    url_schemes: Type.Optional(Type.Array(Type.Union([Type.Literal('http'), Type.Literal('https')]))),
    leave_out: Type.Optional(Type.Array(Text)),
    network: Type.Union([Type.Literal('none'), Type.Literal('proxy'), Type.Literal('address')]),
    environment: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }), Type.String())),
    rules: Type.Optional(Type.Object({ online: Text }, strict)),
    update: Type.Optional(
      Type.Object({ arguments: Arguments, every_hours: Type.Integer({ minimum: 1, maximum: 8_760 }) }, strict),
    ),
    timeout_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_440 })),
    memory_mb: Type.Optional(Type.Integer({ minimum: 64, maximum: 1_048_576 })),
    output_mb: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_536 })),
  },
  strict,
);

/** Describes how to run an external program as a detection source. */
export type ToolDescription = Static<typeof DescriptionFile> & {
  /** Absolute paths, or names to look up in PATH, in order of preference. */
  programs: string[];
  /** The folder of the description, for rules beside it. */
  folder: string;
};

export const kindsOf = (description: ToolDescription): DataSourceKind[] =>
  Object.keys(description.scan) as DataSourceKind[];

/** An invalid description, as a sentence for the operator. */
export class DescriptionError extends Error {}

/**
 * Reads a tool's description. Programs with a slash are relative to the folder of `path`. Throws a DescriptionError.
 */
export function readDescription(text: string, path: string): ToolDescription {
  const file = parse(text);
  const folder = dirname(path);
  const programs = [file.program].flat().map((name) => resolveProgram(name, folder));
  const description = { ...file, programs, folder };
  checkMeaning(description);
  return description;
}

function parse(text: string): Static<typeof DescriptionFile> {
  let value: unknown;
  try {
    value = load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new DescriptionError(`it is not YAML: ${error.reason} in line ${error.mark.line + 1}.`);
  }
  if (Value.Check(DescriptionFile, value)) return value;
  const problems = Value.Errors(DescriptionFile, value).map((problem) => {
    const unknown = 'additionalProperties' in problem.params ? [problem.params.additionalProperties].flat() : [];
    const what = unknown.length > 0 ? `must not have ${unknown.join(', ')}` : problem.message;
    return `${problem.instancePath.slice(1).replaceAll('/', '.') || 'the file'} ${what}`;
  });
  throw new DescriptionError(`${[...new Set(problems)].slice(0, 5).join('; ')}.`);
}

const resolveProgram = (name: string, folder: string): string =>
  name.includes('/') && !isAbsolute(name) ? join(folder, name) : name;

function checkMeaning(description: ToolDescription): void {
  const { format, exit_codes, network, scan, version } = description;
  if (!formats.some((known) => known.name === format)) {
    const names = formats.map(({ name }) => name).join(', ');
    throw new DescriptionError(`format "${format}" is not known; it can be: ${names}.`);
  }
  const codes = Object.values(exit_codes).flat();
  if (codes.length === 0) throw new DescriptionError('exit_codes names no code: every run would count as a failure.');
  if (new Set(codes).size < codes.length) throw new DescriptionError('exit_codes has the same code twice.');
  if (version.pattern !== undefined && !isExpression(version.pattern)) {
    throw new DescriptionError('version.pattern is not a regular expression.');
  }
  const wrong = checkPlaceholders(description);
  if (wrong !== null) throw new DescriptionError(wrong);
  const connects = Object.values(scan).every((argument) => argument.some((part) => part.includes('{ip}')));
  if (network === 'address' && !connects) {
    throw new DescriptionError('network: address is for tools that are given {ip}: the address that was checked.');
  }
}

function isExpression(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern));
  } catch {
    return false;
  }
}
