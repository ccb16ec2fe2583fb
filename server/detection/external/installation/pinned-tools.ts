import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

const strict = { additionalProperties: false } as const;
const Text = Type.String({ minLength: 1 });
const PypiTool = Type.Object({ pypi: Text, version: Text }, strict);
const GoTool = Type.Object(
  {
    go: Text,
    version: Text,
    sum: Type.String({ pattern: '^h1:' }),
    package: Type.Optional(Text),
    version_variable: Type.Optional(Text),
  },
  strict,
);

type PypiTool = Static<typeof PypiTool>;
export type GoTool = Static<typeof GoTool>;
/** The package and version of a scanner that `assay tools install` installs. */
export type PinnedTool = PypiTool | GoTool;

const PinnedTools = Type.Record(Type.String(), Type.Union([PypiTool, GoTool]));

let pinned: Readonly<Record<string, PinnedTool>> | null = null;

/** Returns the scanners in `pinned-tools.yaml`, by type. */
export function pinnedTools(): Readonly<Record<string, PinnedTool>> {
  pinned ??= Value.Parse(PinnedTools, load(readFileSync(join(import.meta.dirname, 'pinned-tools.yaml'), 'utf8')));
  return pinned;
}

/** Returns the file with all packages of a tool from PyPI, and their hashes. */
export const requirementsOf = (type: string): string => join(import.meta.dirname, 'requirements', `${type}.txt`);

/** Returns the command that installs a tool; null for tools that must be installed in another way. */
export const installCommandOf = (type: string): string | null =>
  type in pinnedTools() ? `npx assay tools install ${type}` : null;

/** Returns a tool's package and registry as text for people. */
export const sourceOf = (tool: PinnedTool): string => ('pypi' in tool ? `PyPI ${tool.pypi}` : `Go ${tool.go}`);
