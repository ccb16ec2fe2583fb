import { type BuiltInSource, builtInSources } from '../contract/built-in-sources.ts';

/** The built-in detection sources that can scan files; scan-path.ts has a scanner for each. */
export type FileSource = Exclude<BuiltInSource, 'web'>;
export const fileSources = builtInSources.filter((type): type is FileSource => type !== 'web');

/** `web` scans the website of a URL, only on request: otherwise a URL is a repository's. */
export const pathSources = builtInSources;
/** A built-in type, or the type of an external scanner. */
export type PathSource = BuiltInSource | (string & {});
