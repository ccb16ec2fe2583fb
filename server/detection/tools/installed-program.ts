import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ProgramError } from '../../platform/child-process.ts';
import { askVersion, findProgram } from './find-program.ts';
import type { ToolDescription } from './tool-description.ts';

export type Installation = { path: string; version: string | null } | { missing: string };

const freshForMs = 15_000;
/** Some programs take seconds to print their version; nobody should wait for that. */
const maxWaitMs = 1_000;

/**
 * A tool's program on this machine. It is looked up again every 15 seconds, which costs a few system calls. Its version
 * is read once for each file, and is null until then.
 */
export class InstalledProgram {
  readonly #description: ToolDescription;
  #known: Promise<Installation> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #asked: { key: string; installation: Promise<Installation> } | null = null;
  /** The last result; null before the first lookup. */
  version: string | null = null;

  constructor(description: ToolDescription) {
    this.#description = description;
  }

  find(): Promise<Installation> {
    if (!this.#known || performance.now() - this.#lookedAt > freshForMs) {
      this.#lookedAt = performance.now();
      this.#known = this.#look();
    }
    return this.#known;
  }

  async #look(): Promise<Installation> {
    const { programs, needs_programs: needed = [], homepage } = this.#description;
    const path = await findProgram(programs);
    const hint = homepage ? ` How to install it: ${homepage}` : '';
    if (!path) return this.#remember({ missing: `Not installed: ${programs.join(' or ')} was not found.${hint}` });
    for (const name of needed) {
      if (await findProgram([name])) continue;
      return this.#remember({ missing: `Not installed: ${path} is there, but it needs ${name}, which was not found.` });
    }
    const { mtimeMs, size } = await stat(path);
    const key = `${path} ${mtimeMs} ${size}`;
    if (this.#asked?.key !== key) this.#asked = { key, installation: this.#ask(path) };
    const pending = delay(maxWaitMs, null, { ref: false });
    const installation = await Promise.race([this.#asked.installation, pending]);
    if (installation === null) this.#lookedAt = 0;
    return this.#remember(installation ?? { path, version: null });
  }

  async #ask(path: string): Promise<Installation> {
    try {
      return { path, version: await askVersion(this.#description, path) };
    } catch (error) {
      // The program waits for something else, such as a check for newer versions.
      if (error instanceof ProgramError && error.reason === 'timeout') return { path, version: null };
      return { missing: `${path} exists, but does not run: it did not print its version.` };
    }
  }

  #remember(installation: Installation): Installation {
    this.version = 'version' in installation ? installation.version : null;
    return installation;
  }
}
