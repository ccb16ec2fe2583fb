import { typescript } from './typescript.mjs';

/** The client libraries whose types are generated: which files, and how. Each `generate` writes all of its `files`. */
export const languages = { typescript };
