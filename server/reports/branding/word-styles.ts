import { strFromU8, unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { BrandingError } from './branding-error.ts';

const name = 'report.docx';
const stylesPath = 'word/styles.xml';
const maxStylesBytes = 2 * 1024 * 1024;

/**
 * Reads the styles of a Word document by their ids. Lists are left out, because their numbers are in another part of the
 * document. Throws a `BrandingError`.
 */
export function readWordStyles(file: Buffer): Map<string, string> {
  const xml = stylesIn(file);
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new BrandingError(name, 'must not contain a document type.');
  });
  parser.on('error', (error) => {
    throw new BrandingError(name, `has damaged styles: ${error.message}`);
  });
  parser.write(xml).close();
  return new Map(
    [...xml.matchAll(styleElement)].map(([style, id]) => [id!, style.replace(/<w:numPr>[\s\S]*?<\/w:numPr>/g, '')]),
  );
}

const styleElement = /<w:style\b[^>]*\bw:styleId="([\w-]+)"[^>]*>[\s\S]*?<\/w:style>/g;

function stylesIn(file: Buffer): string {
  try {
    const files = unzipSync(file, {
      filter: (part) => part.name === stylesPath && part.originalSize <= maxStylesBytes,
    });
    if (files[stylesPath]) return strFromU8(files[stylesPath]);
  } catch {
    // It is not a zip file.
  }
  throw new BrandingError(name, 'is not a Word document with styles of at most 2 MiB.');
}

/** Returns the styles of a document with those of the same id replaced. */
export const withStyles = (xml: string, own: Map<string, string>): string =>
  own.size === 0 ? xml : xml.replace(styleElement, (style, id: string) => own.get(id) ?? style);
