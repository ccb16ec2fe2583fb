/** Where a tool's program is, with its version as far as it is known, or why it can't run, as a sentence. */
export type FoundProgram = { path: string; version: string | null } | { missing: string };
