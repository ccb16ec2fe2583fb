import { type BuiltInSource, builtInSources } from '../contract/built-in-sources.ts';

/** The built-in detection sources that can scan files; scan-path.ts has a scanner for each. */
export type FileSource = Exclude<BuiltInSource, 'web'>;
export const fileSources = builtInSources.filter((type): type is FileSource => type !== 'web');

/** `web` scans the website of a URL, and only on request: otherwise a URL is that of a repository. */
export const pathSources = builtInSources;
/** One of these, or the type of an external scanner. */
export type PathSource = BuiltInSource | (string & {});
