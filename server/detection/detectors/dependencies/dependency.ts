/** A package that a manifest says is installed. */
export type Dependency = {
  /** As OSV spells it. */
  ecosystem: string;
  name: string;
  /** Null where the manifest leaves it open, or names a commit or a folder instead. */
  version: string | null;
  /** Where the manifest tells of it, counted from 1; null where that was not cheap to know. */
  line: number | null;
  /** The file that names it when that is another one, which the manifest includes: relative to the manifest's folder, then to the tree. */
  includedFrom?: string;
};

/** A file whose packages were read. */
export type Manifest = { path: string; format: string; dependencies: Dependency[] };
