import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ConfinedProgram, Enclosure, Mount } from './confinement.ts';
import { isWithin } from './paths.ts';

/** The root of a program's file system is made here: nothing that a program is given lies in it. */
const root = '/sys';

/**
 * Builds the file system of a program, in namespaces of its own, with the commands of util-linux: for machines without
 * bubblewrap. It starts as few programs as it can: one `mount` reads the table of all mounts. The shell stays, as the first
 * process of the namespace, with which the others end.
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

/** A mount inside may not lose the flags of the outer one: the kernel refuses that in a user namespace. */
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
  // It may lie in a place that was covered before.
  if (isFolder) flags.push('X-mount.mkdir');
  return `${encoded(path)} ${place} none ${flags.join(',')} 0 0`;
}

const devices = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);

/** Confines programs in a user namespace, made by `unshare`. Paths with line breaks are left out. */
export const userNamespace = (unshare: string, hasLoopback: boolean): Enclosure => ({
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
