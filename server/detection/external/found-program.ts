/**
 * The location of a tool's program, with its version if it is known, or the reason why it can't run, as a sentence.
 */
export type FoundProgram = { path: string; version: string | null } | { missing: string };
