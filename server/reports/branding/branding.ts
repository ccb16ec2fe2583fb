import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BrandingError } from './branding-error.ts';
import { type Logo, readLogo } from './logo.ts';
import { readWordStyles } from './word-styles.ts';

/** What an operator adds to documents. */
export type Branding = {
  logo: Logo | null;
  /** Files of the Typst template by name: they replace Assay's of the same name, or are imported by those that do. */
  typst: Map<string, Buffer>;
  /** The styles of `report.docx`, by id. */
  wordStyles: Map<string, string>;
};

const noBranding: Branding = { logo: null, typst: new Map(), wordStyles: new Map() };

const maxFileBytes = 2 * 1024 * 1024;
const maxFiles = 50;

/**
 * Reads what a format uses of the operator's folder, without its subfolders and without links that lead out of it. Throws a
 * `BrandingError`.
 */
export async function readBranding(folder: string | null | undefined, format: 'pdf' | 'docx'): Promise<Branding> {
  if (!folder) return noBranding;
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new BrandingError('it', `can't be read (${error.code ?? error.name})`);
  });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  if (names.length > maxFiles) throw new BrandingError('it', `must have at most ${maxFiles} files.`);
  const files = new Map<string, Buffer>();
  for (const name of names.sort()) {
    const path = join(folder, name);
    if ((await stat(path)).size > maxFileBytes) throw new BrandingError(name, 'must have at most 2 MiB.');
    files.set(name, await readFile(path));
  }
  return {
    logo: logoIn(files),
    typst: format === 'pdf' ? typstIn(files) : new Map(),
    wordStyles: format === 'docx' && files.has('report.docx') ? readWordStyles(files.get('report.docx')!) : new Map(),
  };
}

function logoIn(files: Map<string, Buffer>): Logo | null {
  const name = ['logo.svg', 'logo.png'].find((known) => files.has(known));
  return name === undefined ? null : readLogo(name, files.get(name)!);
}

/** Typst would load packages from the internet. */
const packageImport = /#?(?:import|include)\s*"@/;

function typstIn(files: Map<string, Buffer>): Map<string, Buffer> {
  const typst = new Map(
    [...files].filter(([name]) => /\.(?:typ|png|svg|jpg)$/.test(name) && !name.startsWith('logo.')),
  );
  for (const [name, content] of typst)
    if (name.endsWith('.typ') && packageImport.test(content.toString('utf8')))
      throw new BrandingError(name, 'must not import packages: put their files into the folder instead.');
  return typst;
}
