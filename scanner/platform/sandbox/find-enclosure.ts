import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { ConfinedProgram, Enclosure, Mount } from './confinement.ts';
import { isWithin } from './paths.ts';
import { systemMounts } from './system-mounts.ts';

/** The root of a program's file system is created here: none of a program's paths is inside it. */
const root = '/sys';

/**
 * Builds the file system of a program in separate namespaces with the commands of util-linux, for machines without
 * bubblewrap. It starts as few programs as possible: one `mount` reads the table of all mounts. The shell stays as the
 * first process of the namespace: all others end with it.
 */
const script = `set -e
table=$1; folders=$2; files=$3; directory=$4; network=$5; shift 5
mount -t tmpfs -o mode=0755,size=64m tmpfs ${root}
cd ${root}
IFS='
'
set -f
mkdir -p tmp
mount -t tmpfs -o mode=1777,size=256m tmpfs tmp
mkdir -p proc dev/shm .old $folders
: > .table
for file in $files; do [ -e "$file" ] || : > "$file"; done
ln -s /proc/self/fd dev/fd; ln -s fd/0 dev/stdin; ln -s fd/1 dev/stdout; ln -s fd/2 dev/stderr
mount -t proc proc proc 2>/dev/null || mount --rbind /proc proc
printf '%s\\n' "$table" > .table
mount --all --fstab .table
while [ "$1" != -- ]; do ln -s "$1" ".$2"; shift 2; done
shift
if [ "$network" = own ] && command -v ip >/dev/null; then ip link set lo up; fi
pivot_root . .old
umount -l /.old
mount -o remount,ro /
cd "$directory"
unset OLDPWD
setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"`;

const kept = ['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime'];
const decoded = (text: string) =>
  text.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
const encoded = (path: string) =>
  path.replace(/[\s\\#]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);

type OuterMount = { path: string; flags: string[] };
let outer: OuterMount[] | null = null;

/** A mount inside must keep the flags of the outer one: the kernel refuses anything else in a user namespace. */
function flagsOf(path: string): string[] {
  outer ??= readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter((parts) => parts.length > 5)
    .map((parts) => ({ path: decoded(parts[4]!), flags: parts[5]!.split(',').filter((flag) => kept.includes(flag)) }));
  let best: OuterMount = { path: '', flags: [] };
  for (const one of outer) if (isWithin(path, one.path) && one.path.length >= best.path.length) best = one;
  return best.flags;
}

function tableLine({ kind, path }: Mount, isFolder: boolean): string {
  const place = encoded(root + path);
  if (kind === 'hide') return `tmpfs ${place} tmpfs mode=0755,size=1m 0 0`;
  const flags = ['bind', ...(kind === 'read' ? ['ro'] : []), ...flagsOf(path)];
  // It may be inside a path that was covered before.
  if (isFolder) flags.push('X-mount.mkdir');
  return `${encoded(path)} ${place} none ${flags.join(',')} 0 0`;
}

const devices = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);

/** Confines programs in a user namespace created by `unshare`. Paths with line breaks are left out. */
const userNamespace = (unshare: string, hasLoopback: boolean): Enclosure => ({
  kind: 'user_namespace',
  hasLoopback,
  wrap: ({ mounts, directory, sharesNetwork, command }: ConfinedProgram) => {
    const places = mounts.flatMap((mount) => {
      const found = mount.kind === 'link' ? undefined : statSync(mount.path, { throwIfNoEntry: false });
      return found && !mount.path.includes('\n') ? [{ mount, isFolder: found.isDirectory() }] : [];
    });
    const paths = places.map(({ mount, isFolder }) => (isFolder ? mount.path : dirname(mount.path)));
    const files = [...devices, ...places.filter(({ isFolder }) => !isFolder).map(({ mount }) => mount.path)];
    const table = [
      ...devices.map((path) => `${path} ${root}${path} none bind 0 0`),
      ...places.map(({ mount, isFolder }) => tableLine(mount, isFolder)),
    ];
    return [
      unshare,
      ...['--user', '--map-root-user', '--mount', '--ipc', '--uts', '--pid', '--fork', '--kill-child'],
      ...(sharesNetwork ? [] : ['--net']),
      ...['/bin/sh', '-c', script, 'sh'],
      table.join('\n'),
      [...new Set(paths.filter((path) => path !== '/'))].map((path) => `.${path}`).join('\n'),
      files.map((path) => `.${path}`).join('\n'),
      ...[directory, sharesNetwork ? 'shared' : 'own'],
      ...mounts.flatMap((mount) => (mount.kind === 'link' ? [mount.target, mount.path] : [])),
      '--',
      ...command,
    ];
  },
});

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
   * Containers hide parts of /proc, and the kernel then forbids mounting another one inside. The outer one shows other
   * processes, but a process of another user namespace can't read their memory, environment or files.
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

/** A working way to confine programs here, or the reason why there is none, as a sentence. */
export type FoundEnclosure = { enclosure: Enclosure; reason: null } | { enclosure: null; reason: string };

const probeTimeoutMs = 10_000;

function findInPath(name: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // The program does not exist.
    }
  }
  return null;
}

/** Runs a program that does nothing in the same way as the others; returns null if it ran, or else its output. */
function tryOut(enclosure: Enclosure, path: string): string | null {
  const probe = { mounts: systemMounts(), directory: '/', sharesNetwork: false, command: ['/bin/sh', '-c', 'exit 42'] };
  const [command, ...words] = enclosure.wrap(probe);
  const ended = spawnSync(command!, words, { env: { PATH: path }, timeout: probeTimeoutMs, encoding: 'utf8' });
  if (ended.status === 42) return null;
  const said = `${ended.stderr ?? ''}`.trim().split('\n').at(-1) ?? '';
  return (ended.error?.message ?? said).slice(0, 200) || 'it ended without a reason';
}

/**
 * Determines by trial how programs can be confined on this machine: with bubblewrap, or else in a user namespace
 * created by `unshare`. Both need Linux and namespaces, which containers and some distributions forbid.
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
