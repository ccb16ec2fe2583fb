/** A package that a manifest lists as installed. */
export type Dependency = {
  /** The name in OSV's spelling. */
  ecosystem: string;
  name: string;
  /** Null if the manifest leaves it open, or names a commit or a folder instead. */
  version: string | null;
  /** The package's line in the manifest, from 1; null if finding it is expensive. */
  line: number | null;
  /** The included file with the package, if any: initially relative to the manifest's folder, later to the tree. */
  includedFrom?: string;
};

/** A manifest whose packages were read. */
export type Manifest = { path: string; format: string; dependencies: Dependency[] };
