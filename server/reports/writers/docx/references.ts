import { isSafeLink } from '../../markdown.ts';
import type { Wording } from '../../sentences/wording.ts';
import type { RunLook } from './run.ts';
import { hex, type Xml, xmlText } from './xml.ts';

const hyperlinkType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink';
const imageType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image';

/**
 * The links, bookmarks and numbers of the body. Ids are assigned in the order of the text, so that the same report has
 * the same ids.
 */
export class References {
  readonly #links = new Map<string, string>();
  readonly #images: string[] = [];
  readonly #sequences = new Map<string, number>();
  #bookmarks = 0;
  /** The style of links. It repeats the color, because LibreOffice takes the color in tables from the table. */
  readonly linkLook: RunLook;

  readonly words: Wording;

  constructor(accent: string, words: Wording) {
    this.words = words;
    this.linkLook = { style: 'Hyperlink', color: hex(accent) };
  }

  /** Returns a link to a web page; for any other address, only the text. */
  webLink(address: string, runs: Xml): Xml {
    const target = linkTarget(address);
    if (target === null) return runs;
    const id = this.#links.get(target) ?? `link${this.#links.size + 1}`;
    this.#links.set(target, id);
    return `<w:hyperlink r:id="${id}" w:history="1">${runs}</w:hyperlink>`;
  }

  /** Returns a link to a bookmark of this document. */
  innerLink(bookmark: string, runs: Xml): Xml {
    return `<w:hyperlink w:anchor="${bookmark}" w:history="1">${runs}</w:hyperlink>`;
  }

  bookmark(name: string, runs: Xml): Xml {
    const id = ++this.#bookmarks;
    return `<w:bookmarkStart w:id="${id}" w:name="${name}"/>${runs}<w:bookmarkEnd w:id="${id}"/>`;
  }

  /** Returns the next number of figures or tables. */
  next(sequence: 'Figure' | 'Table'): number {
    const number = (this.#sequences.get(sequence) ?? 0) + 1;
    this.#sequences.set(sequence, number);
    return number;
  }

  /** Adds a relationship for an image of the package, by its name in `word/media`. */
  image(name: string): string {
    return `image${this.#images.push(name)}`;
  }

  /** Returns the relationships for `word/_rels/document.xml.rels`. */
  relationships(): Xml {
    const images = this.#images.map(
      (name, index) => `<Relationship Id="image${index + 1}" Type="${imageType}" Target="media/${name}"/>`,
    );
    const links = [...this.#links].map(
      ([target, id]) =>
        `<Relationship Id="${id}" Type="${hyperlinkType}" Target="${xmlText(target)}" TargetMode="External"/>`,
    );
    return [...images, ...links].join('');
  }
}

/**
 * Escapes characters that URL parsers accept but Word does not: it reports a document with such an address as damaged.
 */
function linkTarget(address: string): string | null {
  const text = address.trim();
  if (!isSafeLink(text)) return null;
  const target = new URL(text.toWellFormed()).href
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/[^\w\-.~:/?#@!$&'()*+,;=%[\]]/g, (character) => encodeURIComponent(character))
    .replace(/[[\]]/g, (bracket, at: number, whole: string) =>
      /^[a-z]+:\/\/[^/]*$/.test(whole.slice(0, at)) ? bracket : encodeURIComponent(bracket),
    );
  return target.length <= 2_000 ? target : null;
}
