import { lineOf } from './text.ts';

/** A heading of the document. */
export type LinkTarget = { id: string; text: string };

/** An annotation with the address that blocks.typ assigns to a link within the document. */
const linkInside = /\/A <<\s*\/Type \/Action\s*\/S \/URI\s*\/URI \(goto:(\w+)\)\s*>>([\s\S]*?)\/Contents \(goto:\1\)/;
/** A bookmark: its title, and the object with its position. */
const bookmark = /\/Parent \d+ 0 R[\s\S]*\/Title (\([\s\S]*\)|<[\dA-Fa-f]*>)\s*\/Dest (\d+ 0 R)/;

/**
 * Returns the objects of a PDF with the addresses `goto:…` replaced by the positions of headings, taken from their
 * bookmarks. Screen readers announce the text of the heading. A link to a heading that an operator's template left out
 * leads nowhere.
 */
export function linkedInside(objects: string[], headings: readonly LinkTarget[]): string[] {
  const places = new Map<string, string[]>();
  for (const object of objects) {
    const [, title, place] = (object.includes('/Dest') && bookmark.exec(object)) || [];
    if (title === undefined || place === undefined) continue;
    const text = squeeze(readString(title));
    places.set(text, [...(places.get(text) ?? []), place]);
  }
  const targets = new Map(
    headings.map(({ id, text }) => {
      const shown = lineOf(text, 200);
      return [id, { text: shown, place: places.get(squeeze(shown))?.shift() }] as const;
    }),
  );
  return objects.map((object) => {
    if (!object.includes('(goto:')) return object;
    return object.replace(linkInside, (_, id: string, between: string) => {
      const { text = '', place } = targets.get(id) ?? {};
      return `${place === undefined ? '' : `/Dest ${place}`}${between}/Contents ${textString(text)}`;
    });
  });
}

/** A bookmark's spaces and line breaks may differ. */
const squeeze = (text: string): string => text.replace(/[\s\u200B]+/g, '');

/** Returns a PDF string in UTF-16, as hexadecimal digits (ISO 32000-1, 7.9.2.2). */
const textString = (text: string): string => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

/** Parses a PDF string: letters with escapes, or hexadecimal digits of UTF-16. */
function readString(string: string): string {
  const inner = string.slice(1, -1);
  const bytes = string.startsWith('<')
    ? Buffer.from(inner, 'hex')
    : Buffer.from(
        inner.replace(/\\(\d{3}|[\s\S])/g, (_, code: string) => unescaped(code)),
        'latin1',
      );
  return bytes[0] === 0xfe && bytes[1] === 0xff
    ? Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
        .swap16()
        .toString('utf16le')
    : bytes.toString('latin1');
}

const named: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const unescaped = (code: string): string =>
  code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (named[code] ?? code);
