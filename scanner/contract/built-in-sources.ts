/** The types of the built-in detection sources, in display order. Tools and files may not use them. */
export const builtInSources = ['secrets', 'dependencies', 'code', 'infrastructure', 'web'] as const;
export type BuiltInSource = (typeof builtInSources)[number];
