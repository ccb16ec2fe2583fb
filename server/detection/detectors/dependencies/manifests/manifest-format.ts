import type { Dependency } from '../dependency.ts';

/** A file in which packages are listed: a lockfile, a manifest or an SBOM. */
export type ManifestFormat = {
  /** As the ecosystem's people call it. */
  name: string;
  /** Whether a file is of this format, by its path within the repository, `/` between folders. */
  matches(path: string): boolean;
  /**
   * Pure but for `include`. A file that is not of the format, or damaged, throws an Error whose message is a sentence.
   * Content is what somebody else chose: nothing may take more than time in proportion to it.
   */
  read(content: string, files: IncludedFiles): Dependency[] | Promise<Dependency[]>;
};

/** What a manifest may look at beside itself. */
export type IncludedFiles = {
  /** Another file of the same tree, by a path relative to the manifest's folder; null when there is none. */
  read(path: string): Promise<string | null>;
  /** Tells something that the reader of the scan should know. */
  warn(sentence: string): void;
};

/** Matches files of these names, in any folder. */
export const named =
  (...names: string[]) =>
  (path: string): boolean =>
    names.includes(fileName(path));

export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
