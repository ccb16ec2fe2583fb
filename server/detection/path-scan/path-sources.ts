/** The detection sources that can look at files; scan-path.ts has a scanner for each. */
export const fileSources = ['secrets', 'dependencies', 'code', 'infrastructure'] as const;
export type FileSource = (typeof fileSources)[number];

/** `web` looks at what a URL serves, and only when it is asked for: a URL is taken for a repository's otherwise. */
export const pathSources = [...fileSources, 'web'] as const;
/** One of these, or the type of a scanner that is run when its program is found. */
export type PathSource = (typeof pathSources)[number] | (string & {});
