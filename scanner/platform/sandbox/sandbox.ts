import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement, Enclosure, Mount } from './confinement.ts';
import { type FoundEnclosure, findEnclosure } from './find-enclosure.ts';
import { isWithin, programFiles, programPath, withLinks } from './paths.ts';
import { foldersOf, isOfSystem, systemMounts } from './system-mounts.ts';

type Seen = { program: string; directory: string; home: string; confinement: Confinement };

const depth = (path: string) => path.split('/').length;

/** The root must not be shared, and system programs are visible anyway. */
const places = (paths: readonly string[]) =>
  new Set(paths.flatMap(withLinks).filter((path) => path !== '/' && !isOfSystem(path)));

/** Returns the paths that a program can access, parents before children. `more` are additional files that it reads. */
function mountsOf(
  { program, directory, home, confinement }: Seen,
  settings: { hides: readonly string[]; reads: readonly string[] },
  more: readonly string[],
): Mount[] {
  const files = programFiles(program);
  // System programs start only other system programs; a tool may start programs that the operator installed.
  const others = files.every(isOfSystem) ? [] : foldersOf(programPath);
  const writes = places([home, ...(confinement.writes ?? [])]);
  const reads = [...places([directory, ...(confinement.reads ?? []), ...settings.reads, ...more, ...files, ...others])];
  const readOnly = reads.filter((path) => ![...writes].some((folder) => isWithin(path, folder)));
  const isSeen = (path: string) => isOfSystem(path) || readOnly.some((folder) => isWithin(path, folder));
  const hides = settings.hides.flatMap(withLinks).filter((path) => existsSync(path) && isSeen(path));
  // A path in a fully visible folder needs no separate mount, and a link there could not have one: bubblewrap would
  // create its target.
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
  // Equal entries keep their order: the cover of the data directory, then the paths shared from it.
  return [...systemMounts(), ...mounts.sort((a, b) => depth(a.path) - depth(b.path))];
}

/** `auto`: if the machine allows it; `required`: otherwise nothing runs; `off`: never. */
export const sandboxModes = ['auto', 'required', 'off'] as const;
type SandboxMode = (typeof sandboxModes)[number];

export type SandboxSettings = {
  mode: SandboxMode;
  /** The data directory: hidden from programs even if it is in a folder that they read. */
  hides: readonly string[];
  /** Further files and folders that all programs may read. */
  reads: readonly string[];
};

let settings: SandboxSettings = { mode: 'auto', hides: [], reads: [] };
let found: FoundEnclosure | null = null;

/** Called once in each process, before it starts programs. */
export function setSandboxSettings(changed: SandboxSettings): void {
  settings = changed;
  found = null;
}

/** Uses only this kind of enclosure from now on, for tests of each. */
export function useEnclosure(kind: Enclosure['kind'], path = programPath): FoundEnclosure {
  found = findEnclosure(path, [kind]);
  return found;
}

function enclosureHere(): FoundEnclosure {
  if (settings.mode === 'off') return { enclosure: null, reason: 'ASSAY_SANDBOX is off.' };
  found ??= findEnclosure(programPath);
  return found;
}

/** The confinement of programs in this process. `reason` is a sentence for the operator if there is none. */
export type SandboxStatus = {
  status: 'active' | 'partial' | 'none' | 'off';
  kind: Enclosure['kind'] | null;
  reason: string | null;
};

/** Determines how programs are confined here; the first call runs a test program. */
export function sandboxStatus(): SandboxStatus {
  const { enclosure, reason } = enclosureHere();
  if (!enclosure) return { status: settings.mode === 'off' ? 'off' : 'none', kind: null, reason };
  const { kind, hasLoopback } = enclosure;
  if (hasLoopback) return { status: 'active', kind, reason: null };
  const missing = 'Programs that need the network see all of it: bubblewrap, or ip of iproute2, is not installed.';
  return { status: 'partial', kind, reason: missing };
}

/** Thrown if programs can't be confined here and the operator requires it. */
export class SandboxMissing extends Error {
  constructor(reason: string) {
    super(`ASSAY_SANDBOX is "required", and this machine lets no program be confined: ${reason}`);
  }
}

export type ConfinedCommand = {
  command: string[];
  /** The port of the egress proxy, which must be opened in the program's network: see bridge.ts. */
  bridgePort: number | null;
};

export type ProgramToConfine = {
  /** The whole command line that is run inside. */
  command: readonly string[];
  /** The program that it finally runs, as specified. */
  program: string;
  directory: string;
  home: string;
  confinement: Confinement;
};

const bridgeScript = join(import.meta.dirname, 'bridge-process.mjs');

/**
 * Returns the command line that runs a program confined, or its plain command line if this machine allows no
 * confinement. Throws SandboxMissing if the operator requires confinement.
 */
export function confine(program: ProgramToConfine): ConfinedCommand {
  const { enclosure, reason } = enclosureHere();
  if (!enclosure) {
    if (settings.mode === 'required') throw new SandboxMissing(reason);
    return { command: [...program.command], bridgePort: null };
  }
  const { network } = program.confinement;
  const proxyUrl = typeof network === 'object' && enclosure.hasLoopback ? network.proxyUrl : null;
  const bridgePort = proxyUrl === null ? null : Number(new URL(proxyUrl).port);
  const bridge = bridgePort === null ? [] : [process.execPath, bridgeScript, String(bridgePort)];
  const command = enclosure.wrap({
    mounts: mountsOf(program, settings, bridgePort === null ? [] : [bridgeScript, ...programFiles(process.execPath)]),
    directory: program.directory,
    sharesNetwork: network !== 'none' && bridgePort === null,
    command: [...bridge, ...program.command],
  });
  return { command, bridgePort };
}
