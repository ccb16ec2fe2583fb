/** The detection sources that can scan files; scan-path.ts has a scanner for each. */
export const fileSources = ['secrets', 'dependencies', 'code', 'infrastructure'] as const;
export type FileSource = (typeof fileSources)[number];

/** `web` scans the website of a URL, and only on request: otherwise a URL is that of a repository. */
export const pathSources = [...fileSources, 'web'] as const;
/** One of these, or the type of an external scanner. */
export type PathSource = (typeof pathSources)[number] | (string & {});
