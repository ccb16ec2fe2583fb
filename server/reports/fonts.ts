import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The fonts of documents and charts. scripts/make-fonts.py creates them and explains why Assay has its own. */
export const fontFolder = join(import.meta.dirname, 'fonts');

/** Absolute paths of the TrueType files. */
export const fontFiles = (): string[] =>
  readdirSync(fontFolder)
    .filter((name) => name.endsWith('.ttf'))
    .sort()
    .map((name) => join(fontFolder, name));
