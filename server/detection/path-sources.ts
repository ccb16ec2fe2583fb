/** The detection sources that can look at a path; scan-path.ts has a scanner for each. */
export const pathSources = ['secrets'] as const;
export type PathSource = (typeof pathSources)[number];
