import { join } from 'node:path';
import type { ToolDetector } from './create-tool-detector.ts';
import { loadTools } from './load-tools.ts';

const shipped = loadTools(join(import.meta.dirname, 'descriptions'));
if (shipped.mistakes.length > 0) throw new Error(shipped.mistakes.join('\n'));

let tools: readonly ToolDetector[] = shipped.tools;

/** Other people's scanners that can be run when their program is found, by name. */
export const listTools = (): readonly ToolDetector[] => tools;

/**
 * Adds the tools that the operator describes in a folder; one of a type that we describe takes its place. Once for each process, before it
 * serves anything. Descriptions that can't be used are left out, and told.
 */
export function addOperatorTools(folder: string | null, tell: (mistake: string) => void): void {
  if (folder === null) return;
  const { tools: added, mistakes } = loadTools(folder);
  const types = new Set(added.map(({ type }) => type));
  tools = [...shipped.tools.filter(({ type }) => !types.has(type)), ...added].sort((one, other) =>
    one.type < other.type ? -1 : 1,
  );
  for (const mistake of mistakes) tell(`A tool's description is left out. ${mistake}`);
}
