import { go } from './go.mjs';
import { python } from './python.mjs';
import { typescript } from './typescript.mjs';

/**
 * The client libraries whose types are generated: which files, from which sources besides the description, and how. Each
 * `generate` writes all of its `files`.
 */
export const languages = { go, python, typescript };
