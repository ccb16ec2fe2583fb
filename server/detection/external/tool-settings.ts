import { join } from 'node:path';
import type { WorkerReports } from './reported-tools.ts';

/** Where this process finds the programs of scanners. */
export type ToolSettings = {
  /** The folder of the scanners that `assay tools install` installed; null where there is none. */
  installed: string | null;
  /** A folder that remembers the versions of the others; null to forget them with the process. */
  versions: string | null;
  /** Whether this process starts programs to read their versions. The API doesn't: the worker does it for it. */
  startsPrograms: boolean;
  /** Reads the programs that workers found, in a process without a worker; their reports take precedence over this machine. */
  readReports?: (() => Promise<WorkerReports>) | null;
};

/** The folders of an installation for scanners, within its data directory. */
export const toolFolders = (dataDirectory: string) => ({
  installed: join(dataDirectory, 'tools'),
  versions: join(dataDirectory, 'cache', 'tool-versions'),
});

let settings: ToolSettings = { installed: null, versions: null, startsPrograms: true };

/** Called once in each process, before it looks for programs. */
export function setToolSettings(changed: ToolSettings): void {
  settings = changed;
}

export const toolSettings = (): ToolSettings => settings;
