import { existsSync } from 'node:fs';
import type { Confinement, Mount } from './confinement.ts';
import { isWithin, programFiles, programPath, withLinks } from './paths.ts';
import { foldersOf, isOfSystem, systemMounts } from './system-mounts.ts';

type Seen = { program: string; directory: string; home: string; confinement: Confinement };

const depth = (path: string) => path.split('/').length;

/** The root is no place to give, and programs of the system are seen anyway. */
const places = (paths: readonly string[]) =>
  new Set(paths.flatMap(withLinks).filter((path) => path !== '/' && !isOfSystem(path)));

/** Returns the places that a program sees, parents before what lies in them. `more` are files that it reads too. */
export function mountsOf(
  { program, directory, home, confinement }: Seen,
  settings: { hides: readonly string[]; reads: readonly string[] },
  more: readonly string[],
): Mount[] {
  const files = programFiles(program);
  // Programs of the system start only others of the system; a tool may start what the operator installed.
  const others = files.every(isOfSystem) ? [] : foldersOf(programPath);
  const writes = places([home, ...(confinement.writes ?? [])]);
  const reads = [...places([directory, ...(confinement.reads ?? []), ...settings.reads, ...more, ...files, ...others])];
  const readOnly = reads.filter((path) => ![...writes].some((folder) => isWithin(path, folder)));
  const isSeen = (path: string) => isOfSystem(path) || readOnly.some((folder) => isWithin(path, folder));
  const hides = settings.hides.flatMap(withLinks).filter((path) => existsSync(path) && isSeen(path));
  // A path in a folder that is seen whole needs no mount of its own, and a link there could not have one: bubblewrap would make the
  // file that it leads to.
  const isIn = (path: string, folder: string) =>
    path !== folder &&
    isWithin(path, folder) &&
    !hides.some((hidden) => isWithin(path, hidden) && isWithin(hidden, folder));
  const outermost = readOnly.filter((path) => !readOnly.some((folder) => isIn(path, folder)));
  const mounts: Mount[] = [
    ...hides.map((path) => ({ kind: 'hide', path }) as const),
    ...outermost.map((path) => ({ kind: 'read', path }) as const),
    ...[...writes].map((path) => ({ kind: 'write', path }) as const),
  ];
  // The order of equals stays: the cover of the data directory, then what is given of it.
  return [...systemMounts(), ...mounts.sort((a, b) => depth(a.path) - depth(b.path))];
}
