import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The fonts of documents and charts: scripts/make-fonts.py makes them and tells why they are ours. */
export const fontFolder = join(import.meta.dirname, 'fonts');

/** Families for text and for code. What they lack (other scripts, symbols) stands in the other files. */
export const textFamily = 'Assay Sans';
export const codeFamily = 'Assay Mono';

/** Absolute paths of the TrueType files. */
export const fontFiles = (): string[] =>
  readdirSync(fontFolder)
    .filter((name) => name.endsWith('.ttf'))
    .sort()
    .map((name) => join(fontFolder, name));
