import type { Dependency } from '../dependency.ts';

/** A file format that lists packages: a lockfile, a manifest or an SBOM. */
export type ManifestFormat = {
  /** The format's name in its ecosystem. */
  name: string;
  /** Returns whether a file has this format, by its path in the repository, with `/` between folders. */
  matches(path: string): boolean;
  /**
   * Pure except for `include`. Throws an Error whose message is a sentence if the file is damaged or has another
   * format. The content is untrusted, so reading must take linear time.
   */
  read(content: string, files: IncludedFiles): Dependency[] | Promise<Dependency[]>;
};

/** Access of a manifest to other files. */
export type IncludedFiles = {
  /** Returns another file of the same tree, by a path relative to the manifest's folder; null if it is missing. */
  read(path: string): Promise<string | null>;
  /** Adds a warning to the scan. */
  warn(sentence: string): void;
};

/** Matches files of these names, in any folder. */
export const named =
  (...names: string[]) =>
  (path: string): boolean =>
    names.includes(fileName(path));

export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
