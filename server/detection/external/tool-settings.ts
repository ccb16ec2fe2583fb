import { join } from 'node:path';
import type { WorkerReports } from './reported-tools.ts';

/** Settings for finding scanners in this process. */
export type ToolSettings = {
  /** The folder of the scanners installed by `assay tools install`; null when there is none. */
  installed: string | null;
  /** A folder for the versions of other scanners; null to keep them only in this process. */
  versions: string | null;
  /** Whether this process starts programs to read their versions. The worker does; the API does not. */
  startsPrograms: boolean;
  /**
   * Reads the programs that workers found, in a process without a worker. Their reports take precedence over this
   * machine.
   */
  readReports?: (() => Promise<WorkerReports>) | null;
};

/** Returns an installation's folders for scanners, within its data directory. */
export const toolFolders = (dataDirectory: string) => ({
  installed: join(dataDirectory, 'tools'),
  versions: join(dataDirectory, 'cache', 'tool-versions'),
});

let settings: ToolSettings = { installed: null, versions: null, startsPrograms: true };

/** Sets them. Called once in each process, before it looks for programs. */
export function setToolSettings(changed: ToolSettings): void {
  settings = changed;
}

export const toolSettings = (): ToolSettings => settings;
