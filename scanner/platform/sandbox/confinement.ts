/**
 * The files and network that a program can access besides the system's own programs: everything else is not
 * there for it.
 */
export type Confinement = {
  /** Files and directories that it may read. Those that don't exist are left out. */
  reads?: readonly string[];
  /** Directories that it may write besides its home. */
  writes?: readonly string[];
  /** `none`; the egress proxy and nothing else; or `open` for what connects to addresses that were checked. */
  network: 'none' | 'open' | { proxyUrl: string };
};

/** One place in the file system of a confined program. `hide` covers what lies there with an empty directory. */
export type Mount = { kind: 'read' | 'write' | 'hide'; path: string } | { kind: 'link'; path: string; target: string };

/** A program to be confined, with the places that it sees, parents before what is in them. */
export type ConfinedProgram = {
  mounts: readonly Mount[];
  directory: string;
  sharesNetwork: boolean;
  command: readonly string[];
};

/** A way to confine programs, as this machine allows it. */
export type Enclosure = {
  kind: 'bubblewrap' | 'user_namespace';
  /** Whether a loopback of its own can be used, over which a program reaches the egress proxy. */
  hasLoopback: boolean;
  /** Returns the command line that runs the program confined. */
  wrap(program: ConfinedProgram): string[];
};
