import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ConfinedProgram, Enclosure, Mount } from './confinement.ts';
import { systemMounts } from './system-mounts.ts';
import { userNamespace } from './user-namespace.ts';

const temporaryBytes = 256 * 1024 * 1024;

function mountArguments(mount: Mount): string[] {
  const { kind, path } = mount;
  if (kind === 'link') return ['--symlink', mount.target, path];
  if (kind === 'hide') return ['--tmpfs', path];
  return [kind === 'read' ? '--ro-bind-try' : '--bind-try', path, path];
}

/** The variants of bubblewrap's options: the first that a machine accepts is used. */
type BubblewrapVariant = {
  /**
   * Containers hide parts of /proc, and then nobody inside may mount another. The outer one shows other processes, but a
   * process of another user namespace can't read their memory, environment or files.
   */
  ownProc: boolean;
  /** Version 0.8 and newer can forbid further namespaces, in which a program would have all capabilities. */
  closesNamespaces: boolean;
};

const bubblewrapVariants: BubblewrapVariant[] = [
  { ownProc: true, closesNamespaces: true },
  { ownProc: true, closesNamespaces: false },
  { ownProc: false, closesNamespaces: true },
  { ownProc: false, closesNamespaces: false },
];

/** Confines programs with bubblewrap, which Flatpak uses: https://github.com/containers/bubblewrap. */
const bubblewrap = (path: string, { ownProc, closesNamespaces }: BubblewrapVariant): Enclosure => ({
  kind: 'bubblewrap',
  hasLoopback: true,
  wrap: ({ mounts, directory, sharesNetwork, command }: ConfinedProgram) => [
    path,
    '--unshare-user',
    '--unshare-ipc',
    '--unshare-pid',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(sharesNetwork ? [] : ['--unshare-net']),
    ...(closesNamespaces ? ['--disable-userns'] : []),
    ...['--cap-drop', 'ALL', '--die-with-parent'],
    ...(ownProc ? ['--proc', '/proc'] : ['--ro-bind', '/proc', '/proc']),
    ...['--dev', '/dev'],
    ...['--size', String(temporaryBytes), '--tmpfs', '/tmp'],
    ...mounts.flatMap(mountArguments),
    ...['--remount-ro', '/', '--chdir', directory, '--'],
    ...command,
  ],
});

/** A way to confine programs that works here, or the reason why there is none, as a sentence. */
export type FoundEnclosure = { enclosure: Enclosure; reason: null } | { enclosure: null; reason: string };

const probeTimeoutMs = 10_000;

function findInPath(name: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not there.
    }
  }
  return null;
}

/** Runs a program that does nothing as the others will be run; returns null when it ran, or else what it said. */
function tryOut(enclosure: Enclosure, path: string): string | null {
  const probe = { mounts: systemMounts(), directory: '/', sharesNetwork: false, command: ['/bin/sh', '-c', 'exit 42'] };
  const [command, ...words] = enclosure.wrap(probe);
  const ended = spawnSync(command!, words, { env: { PATH: path }, timeout: probeTimeoutMs, encoding: 'utf8' });
  if (ended.status === 42) return null;
  const said = `${ended.stderr ?? ''}`.trim().split('\n').at(-1) ?? '';
  return (ended.error?.message ?? said).slice(0, 200) || 'it ended without a reason';
}

/**
 * Finds out by running it how this machine lets programs be confined: with bubblewrap, or else in a user namespace made by
 * `unshare`. Both need Linux and namespaces, which containers and some distributions forbid.
 */
export function findEnclosure(
  path: string,
  kinds: ReadonlyArray<Enclosure['kind']> = ['bubblewrap', 'user_namespace'],
): FoundEnclosure {
  if (process.platform !== 'linux') return { enclosure: null, reason: `${process.platform} has no namespaces.` };
  const reasons: string[] = [];
  const attempt = (name: string, enclosures: Enclosure[]): Enclosure | null => {
    let said: string | null = null;
    for (const enclosure of enclosures) {
      said = tryOut(enclosure, path);
      if (said === null) return enclosure;
    }
    reasons.push(`${name} does not work here (${said}).`);
    return null;
  };
  const candidates: Record<Enclosure['kind'], [string, (found: string) => Enclosure[]]> = {
    bubblewrap: ['bwrap', (found) => bubblewrapVariants.map((variant) => bubblewrap(found, variant))],
    user_namespace: [
      'unshare',
      (found) => [userNamespace(found, findInPath('ip', `${path}:/usr/sbin:/sbin`) !== null)],
    ],
  };
  for (const kind of kinds) {
    const [name, enclosuresOf] = candidates[kind];
    const found = findInPath(name, path);
    const enclosure = found === null ? null : attempt(name, enclosuresOf(found));
    if (enclosure) return { enclosure, reason: null };
    if (found === null) reasons.push(`${name} is not installed.`);
  }
  return { enclosure: null, reason: reasons.join(' ') };
}
