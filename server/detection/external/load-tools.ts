import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInSources } from '@assay/scanner/contract/built-in-sources.ts';
import { createToolDetector, type ToolDetector } from './create-tool-detector.ts';
import { DescriptionError, readDescription, type ToolDescription } from './tool-description.ts';

export type LoadedTools = { tools: ToolDetector[]; errors: string[] };

/**
 * Loads the tools that the files `*.yaml` and `*.yml` of a folder describe, ordered by file name; none if the folder
 * is missing. Invalid files, or an unreadable folder, are skipped and reported in `errors`.
 */
export function loadTools(folder: string): LoadedTools {
  const loaded: LoadedTools = { tools: [], errors: [] };
  for (const name of listFolder(folder, loaded.errors)) {
    const path = join(folder, name);
    try {
      const description = readDescription(readFileSync(path, 'utf8'), path);
      requireFree(description, loaded.tools);
      loaded.tools.push(createToolDetector(description));
    } catch (error) {
      if (!(error instanceof DescriptionError) && !('code' in (error as Error))) throw error;
      loaded.errors.push(`${path}: ${(error as Error).message}`);
    }
  }
  return loaded;
}

function listFolder(folder: string, errors: string[]): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.ya?ml$/.test(name))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') errors.push(`${folder}: ${(error as Error).message}`);
    return [];
  }
}

function requireFree({ type }: ToolDescription, earlier: ToolDetector[]): void {
  if (builtInSources.some((builtIn) => builtIn === type))
    throw new DescriptionError(`type "${type}" is that of a built-in detection source.`);
  if (earlier.some((tool) => tool.type === type)) throw new DescriptionError(`type "${type}" is described twice.`);
}
