/**
 * The files and network that a program can access besides the system's own programs. Everything else is invisible to
 * it.
 */
export type Confinement = {
  /** Files and directories that it may read. Missing ones are ignored. */
  reads?: readonly string[];
  /** Directories that it may write besides its home. */
  writes?: readonly string[];
  /** `none`; only the egress proxy; or `open` for programs that connect to checked addresses. */
  network: 'none' | 'open' | { proxyUrl: string };
};

/** One path in the file system of a confined program. `hide` covers it with an empty directory. */
export type Mount = { kind: 'read' | 'write' | 'hide'; path: string } | { kind: 'link'; path: string; target: string };

/** A program to confine, with its visible paths, parents before children. */
export type ConfinedProgram = {
  mounts: readonly Mount[];
  directory: string;
  sharesNetwork: boolean;
  command: readonly string[];
};

/** A way to confine programs, as this machine allows it. */
export type Enclosure = {
  kind: 'bubblewrap' | 'user_namespace';
  /** Whether a separate loopback interface is available, through which a program connects to the egress proxy. */
  hasLoopback: boolean;
  /** Returns the command line that runs the program confined. */
  wrap(program: ConfinedProgram): string[];
};
