import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of the library that gives a process another clock, on Debian and other systems. */
function findLibrary(): string | null {
  const folders = ['/usr/lib/faketime', '/usr/local/lib/faketime'];
  if (existsSync('/usr/lib')) {
    for (const name of readdirSync('/usr/lib'))
      if (name.includes('linux-gnu')) folders.push(`/usr/lib/${name}/faketime`);
  }
  return folders.map((folder) => join(folder, 'libfaketimeMT.so.1')).find((path) => existsSync(path)) ?? null;
}

const library = findLibrary();
export const canMoveClocks = library !== null;

/** A clock shared by processes of a machine, which can be set while they run (libfaketime). */
export class MovableClock {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
    this.move(0);
  }

  /** Sets its difference from the real time in seconds. The processes notice within a second. */
  move(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
  }

  /** The environment of a process that uses this clock. */
  get environment(): Record<string, string> {
    if (library === null) return {};
    return {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: '1',
      // Pauses and timeouts use the monotonic clock, as on a real machine.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
    };
  }
}
