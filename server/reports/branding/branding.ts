import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { SaxesParser } from 'saxes';
import { BrandingError } from './branding-error.ts';

/** A logo as PNG of at most 900 × 240 pixels, whatever its original format. */
export type Logo = { png: Buffer; width: number; height: number };

const maxWidth = 900;
const maxHeight = 240;
const maxPixels = 4_000;

/** The space for the logo on the cover, in millimeters. */
const room = { width: 60, height: 16 };

/** Returns the size of the logo on the cover, in millimeters. */
export function printedSize({ width, height }: Logo): { width: number; height: number } {
  const scale = Math.min(room.width / width, room.height / height);
  return { width: width * scale, height: height * scale };
}

const maxFileBytes = 2 * 1024 * 1024;

/**
 * Reads `logo.svg` or `logo.png` of the operator's folder; null if there is neither. Links are followed only within the
 * folder, where Kubernetes mounts files as links. Throws a `BrandingError`.
 */
export async function findLogo(folder: string | null | undefined): Promise<Logo | null> {
  if (!folder) return null;
  for (const name of ['logo.svg', 'logo.png']) {
    const path = await realpath(join(folder, name)).catch(() => null);
    if (path === null) continue;
    if (!path.startsWith((await realpath(folder)) + sep))
      throw new BrandingError(name, 'must not lead out of the folder.');
    if ((await stat(path)).size > maxFileBytes) throw new BrandingError(name, 'must have at most 2 MiB.');
    const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw new BrandingError(name, `can't be read (${error.code ?? error.name})`);
    });
    return readLogo(name, content);
  }
  return null;
}

/** Reads a PNG or SVG and redraws it, so that documents contain only its pixels. Throws a `BrandingError`. */
export function readLogo(name: string, content: Buffer): Logo {
  const svg = name.endsWith('.svg') ? safeSvg(name, content.toString('utf8')) : wrapped(name, content);
  try {
    const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false } });
    if (!(width >= 1 && height >= 1 && width <= maxPixels && height <= maxPixels))
      throw new BrandingError(name, `must be 1 to ${maxPixels} pixels wide and high.`);
    const value = Math.min(maxWidth / width, maxHeight / height);
    const drawn = new Resvg(svg, { font: { loadSystemFonts: false }, fitTo: { mode: 'zoom', value } }).render();
    return { png: Buffer.from(drawn.asPng()), width: drawn.width, height: drawn.height };
  } catch (error) {
    if (error instanceof BrandingError) throw error;
    throw new BrandingError(name, `can't be drawn: ${(error as Error).message}`);
  }
}

/** Returns an SVG with a PNG in it. */
function wrapped(name: string, png: Buffer): string {
  const isPng = png.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  if (!isPng || png.length < 24) throw new BrandingError(name, 'is not a PNG.');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (width < 1 || height < 1 || width > maxPixels || height > maxPixels)
    throw new BrandingError(name, `must be 1 to ${maxPixels} pixels wide and high.`);
  const image = `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${image}</svg>`;
}

const forbidden = new Set(['script', 'foreignobject', 'image', 'iframe', 'use', 'text', 'style']);

/** Returns an SVG of shapes only: it refers to no other file, contains no active content and needs no fonts. */
function safeSvg(name: string, text: string): string {
  const refuse = (what: string) => {
    throw new BrandingError(name, `must not contain ${what}; export it as shapes only, or as a PNG.`);
  };
  const parser = new SaxesParser();
  parser.on('doctype', () => refuse('a document type'));
  parser.on('opentag', ({ name: tag, attributes }) => {
    const local = tag.replace(/^.*:/, '').toLowerCase();
    if (forbidden.has(local)) refuse(`<${local}>`);
    for (const [attribute, value] of Object.entries(attributes as Record<string, string>)) {
      if (/^on/i.test(attribute)) refuse(`the attribute ${attribute}`);
      if (/href$/i.test(attribute) && !value.startsWith('#')) refuse('a link to another file');
      if (/url\(\s*(?!["']?#)/i.test(value)) refuse('a link to another file');
    }
  });
  parser.on('error', (error) => {
    throw new BrandingError(name, `is not an SVG: ${error.message}`);
  });
  parser.write(text).close();
  return text;
}
