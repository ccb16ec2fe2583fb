import { mkdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ProgramError } from '@assay/scanner/platform/child-process.ts';
import { writePrivateFile } from '../../platform/private-file.ts';
import { askVersion, findProgram } from './find-program.ts';
import type { FoundProgram } from './found-program.ts';
import { linksOf, readInstalledTool } from './installation/installed-tools.ts';
import { installCommandOf } from './installation/pinned-tools.ts';
import type { ToolDescription } from './tool-description.ts';
import { toolSettings } from './tool-settings.ts';

/** The result of running a program to read its version. */
type KnownProgram = { runs: boolean; version: string | null };

const fileOf = (folder: string, type: string) => join(folder, `${type}.json`);

/**
 * Returns what a process of this installation recorded about the tool's program; null when the program has changed.
 */
async function readKnownProgram(type: string, key: string): Promise<KnownProgram | null> {
  const { versions } = toolSettings();
  if (versions === null) return null;
  try {
    const { key: stored, runs, version } = JSON.parse(await readFile(fileOf(versions, type), 'utf8'));
    return stored === key ? { runs, version } : null;
  } catch {
    return null;
  }
}

/** Records it for other processes. A folder that can't be written costs only time. */
async function writeKnownProgram(type: string, key: string, known: KnownProgram): Promise<void> {
  const { versions } = toolSettings();
  if (versions === null) return;
  try {
    await mkdir(versions, { recursive: true, mode: 0o700 });
    await writePrivateFile(fileOf(versions, type), JSON.stringify({ key, ...known }));
  } catch {
    // The next process runs the program again.
  }
}

const freshForMs = 15_000;
/** Some programs take seconds to print their version; callers should not wait for that. */
const maxWaitMs = 1_000;

/**
 * A tool's program on this machine: the one installed by `assay tools install`, or else the first in PATH. It is
 * looked up again every 15 seconds, which costs a few system calls. The version of an installed one is in its record.
 * The version of another one is read by running it, once per file, in processes that may start programs; until then
 * it is null. An API without its own worker uses the workers' reports.
 */
export class InstalledProgram {
  readonly #description: ToolDescription;
  #known: Promise<FoundProgram> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #asked: { key: string; installation: Promise<FoundProgram> } | null = null;
  /** The last result; null before the first lookup. */
  version: string | null = null;
  /** The command that installs the program; null when it is installed already, or can't be installed by a command. */
  installCommand: string | null = null;

  constructor(description: ToolDescription) {
    this.#description = description;
  }

  find(): Promise<FoundProgram> {
    if (!this.#known || performance.now() - this.#lookedAt > freshForMs) {
      this.#lookedAt = performance.now();
      const looking = this.#look();
      this.#known = looking;
      looking.catch(() => {
        if (this.#known === looking) this.#known = null;
      });
    }
    return this.#known;
  }

  /** Looks the program up, and waits for its version without a limit. */
  async learn(): Promise<void> {
    await this.find();
    await this.#asked?.installation;
  }

  async #look(): Promise<FoundProgram> {
    const { type, programs, needs_programs: needed = [], homepage } = this.#description;
    const { installed, readReports } = toolSettings();
    const reported = (await readReports?.())?.tools.get(type);
    if (reported) {
      this.installCommand = 'missing' in reported ? installCommandOf(type) : null;
      return this.#remember(reported);
    }
    const own = installed === null ? null : await findProgram(programs, [linksOf(installed)]);
    const path = own ?? (await findProgram(programs));
    this.installCommand = path ? null : installCommandOf(type);
    if (!path) {
      const hint = this.installCommand
        ? ` "${this.installCommand}" installs it.`
        : homepage
          ? ` How to install it: ${homepage}`
          : '';
      return this.#remember({ missing: `Not installed: ${programs.join(' or ')} was not found.${hint}` });
    }
    for (const name of needed) {
      if (await findProgram([name])) continue;
      return this.#remember({ missing: `Not installed: ${path} exists, but it needs ${name}, which was not found.` });
    }
    const record = own && installed !== null ? await readInstalledTool(installed, basename(own)) : null;
    return this.#remember(record ? { path, version: record.version } : await this.#findVersion(path));
  }

  async #findVersion(path: string): Promise<FoundProgram> {
    const { mtimeMs, size } = await stat(path);
    const key = `${path} ${mtimeMs} ${size}`;
    const known = await readKnownProgram(this.#description.type, key);
    // A program that did not run before may run now: its dependencies may have been installed.
    if (known && (known.runs || !toolSettings().startsPrograms)) return toInstallation(path, known);
    // The version is unknown until another process has read it, so it is looked up again with the next call.
    const unknown = { path, version: null };
    if (!toolSettings().startsPrograms) {
      this.#lookedAt = Number.NEGATIVE_INFINITY;
      return unknown;
    }
    if (this.#asked?.key !== key) this.#asked = { key, installation: this.#ask(path, key) };
    const installation = await Promise.race([this.#asked.installation, delay(maxWaitMs, null, { ref: false })]);
    if (installation === null) this.#lookedAt = Number.NEGATIVE_INFINITY;
    return installation ?? unknown;
  }

  async #ask(path: string, key: string): Promise<FoundProgram> {
    try {
      const known = { runs: true, version: await askVersion(this.#description, path) };
      await writeKnownProgram(this.#description.type, key, known);
      return toInstallation(path, known);
    } catch (error) {
      this.#asked = null;
      // The program is waiting for something else, such as a check for newer versions.
      if (error instanceof ProgramError && error.reason === 'timeout') return { path, version: null };
      const known = { runs: false, version: null };
      await writeKnownProgram(this.#description.type, key, known);
      return toInstallation(path, known);
    }
  }

  #remember(installation: FoundProgram): FoundProgram {
    this.version = 'version' in installation ? installation.version : null;
    return installation;
  }
}

const toInstallation = (path: string, { runs, version }: { runs: boolean; version: string | null }): FoundProgram =>
  runs ? { path, version } : { missing: `${path} exists, but does not run: it did not print its version.` };
