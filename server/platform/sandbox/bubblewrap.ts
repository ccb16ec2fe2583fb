import type { ConfinedProgram, Enclosure, Mount } from './confinement.ts';

const temporaryBytes = 256 * 1024 * 1024;

function mountArguments(mount: Mount): string[] {
  const { kind, path } = mount;
  if (kind === 'link') return ['--symlink', mount.target, path];
  if (kind === 'hide') return ['--tmpfs', path];
  return [kind === 'read' ? '--ro-bind-try' : '--bind-try', path, path];
}

/** The variants of bubblewrap's options: the first that a machine accepts is used. */
export type BubblewrapVariant = {
  /**
   * Containers hide parts of /proc, and then nobody inside may mount another. The outer one shows other processes, but a
   * process of another user namespace can't read their memory, environment or files.
   */
  ownProc: boolean;
  /** Version 0.8 and newer can forbid further namespaces, in which a program would have all capabilities. */
  closesNamespaces: boolean;
};

export const bubblewrapVariants: BubblewrapVariant[] = [
  { ownProc: true, closesNamespaces: true },
  { ownProc: true, closesNamespaces: false },
  { ownProc: false, closesNamespaces: true },
  { ownProc: false, closesNamespaces: false },
];

/** Confines programs with bubblewrap, which Flatpak uses: https://github.com/containers/bubblewrap. */
export const bubblewrap = (path: string, { ownProc, closesNamespaces }: BubblewrapVariant): Enclosure => ({
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
