import { join } from 'node:path';
import type { ToolDetector } from './create-tool-detector.ts';
import { loadTools } from './load-tools.ts';

const shipped = loadTools(join(import.meta.dirname, 'descriptions'));
if (shipped.errors.length > 0) throw new Error(shipped.errors.join('\n'));

let tools: readonly ToolDetector[] = shipped.tools;

/** The external scanners that can run when their program is found, by name. */
export const listTools = (): readonly ToolDetector[] => tools;

/**
 * Adds the tools that the operator describes in a folder; a description with the type of a shipped one replaces it.
 * Called once in each process, before it serves anything. Invalid descriptions are left out and reported.
 */
export function addOperatorTools(folder: string | null, warn: (warning: string) => void): void {
  if (folder === null) return;
  const { tools: added, errors } = loadTools(folder);
  const types = new Set(added.map(({ type }) => type));
  tools = [...shipped.tools.filter(({ type }) => !types.has(type)), ...added].sort((a, b) =>
    a.type < b.type ? -1 : 1,
  );
  for (const error of errors) warn(`A tool's description is left out. ${error}`);
}
