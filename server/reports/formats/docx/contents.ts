import { paragraph, textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import { run } from './run.ts';
import type { Xml } from './xml.ts';

/** A heading in the contents. A heading of level 1 starts a new page unless `samePage` is set. */
export type ContentsEntry = { level: 1 | 2; text: string; bookmark: string; samePage?: boolean };

/**
 * Returns a table of contents that Word can update. Its entries already exist and link to their headings. Page numbers
 * appear when Word updates it: only the program that lays out the pages knows them, and asking the reader on opening
 * ("fields that may refer to other files") would be worse.
 */
export function contents(entries: ContentsEntry[], references: References): Xml {
  const begin =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' +
    '<w:r><w:instrText xml:space="preserve"> TOC \\o "1-2" \\h \\z \\u </w:instrText></w:r>' +
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r>';
  const end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>';
  const lines = entries.map(({ level, text, bookmark }, index) => {
    const link = references.innerLink(bookmark, run(text));
    return paragraph(`TOC${level}`, (index === 0 ? begin : '') + link + (index === entries.length - 1 ? end : ''));
  });
  return (
    '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj></w:sdtPr>' +
    `<w:sdtContent>${textParagraph('TOCHeading', 'Contents', { pageBreakBefore: true })}${lines.join('')}</w:sdtContent></w:sdt>`
  );
}

/** Returns a heading to which the contents link. */
export function contentsHeading({ level, text, bookmark, samePage }: ContentsEntry, references: References): Xml {
  return paragraph(
    `Heading${level}`,
    references.bookmark(bookmark, run(text)),
    samePage ? { before: 480 } : { pageBreakBefore: level === 1 },
  );
}
