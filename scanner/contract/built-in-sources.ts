/** The types of the built-in detection sources, in the order in which they are listed. No tool or file may use one. */
export const builtInSources = ['secrets', 'dependencies', 'code', 'infrastructure', 'web'] as const;
export type BuiltInSource = (typeof builtInSources)[number];
