import { join } from 'node:path';
import type { ToolDetector } from './create-tool-detector.ts';
import { loadTools } from './load-tools.ts';
import type { ReportedTools } from './reported-tools.ts';
import { setToolSettings, type ToolSettings, toolFolders } from './tool-settings.ts';

const shipped = loadTools(join(import.meta.dirname, 'descriptions'));
if (shipped.errors.length > 0) throw new Error(shipped.errors.join('\n'));

let tools: readonly ToolDetector[] = shipped.tools;

/** The external scanners that can run when their program is found, by name. */
export const listTools = (): readonly ToolDetector[] => tools;

/** The scanners of a process. `descriptions` is the folder with the operator's additional ones. */
export type ToolUse = Pick<ToolSettings, 'startsPrograms' | 'readReports'> & {
  dataDirectory: string;
  descriptions: string | null;
};

/**
 * Sets where this process finds scanners, and adds those that the operator describes; a description with the type of
 * a shipped one replaces it. Called once in each process, before it serves anything. Invalid descriptions are skipped
 * and reported.
 */
export function prepareTools(
  { dataDirectory, descriptions, startsPrograms, readReports = null }: ToolUse,
  warn: (warning: string) => void,
): void {
  setToolSettings({ ...toolFolders(dataDirectory), startsPrograms, readReports });
  if (descriptions === null) return;
  const { tools: added, errors } = loadTools(descriptions);
  const types = new Set(added.map(({ type }) => type));
  tools = [...shipped.tools.filter(({ type }) => !types.has(type)), ...added].sort((a, b) =>
    a.type < b.type ? -1 : 1,
  );
  for (const error of errors) warn(`The description of a tool is skipped. ${error}`);
}

const learnEveryMs = 60_000;

const findAll = async (): Promise<ReportedTools> =>
  new Map(await Promise.all(tools.map(async ({ type, installed }) => [type, await installed.find()] as const)));

/**
 * Looks for programs, and reads the versions of new ones by running them, one after the other; repeats this every
 * minute. Only for workers: the API starts no programs. Calls `report` before and after reading the versions. Returns
 * a function that stops it.
 */
export function learnVersions(
  report: (found: ReportedTools) => Promise<void>,
  warn: (error: unknown) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const reportFound = async () => {
    const found = await findAll();
    if (!stopped) await report(found);
  };
  const learn = async () => {
    await reportFound().catch(warn);
    for (const { installed } of tools) if (!stopped) await installed.learn().catch(warn);
    await reportFound().catch(warn);
    if (!stopped) timer = setTimeout(learn, learnEveryMs).unref();
  };
  void learn();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
