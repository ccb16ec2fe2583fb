import { type DocumentContent, type Heading, headingsOf } from '../../document/blocks.ts';
import { severityColors } from '../../labels.ts';
import { plainText } from '../../plain-text.ts';
import { wordingIn } from '../../sentences/wording.ts';
import { estimatePages } from './page-numbers.ts';
import { paragraph, textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import { field, run } from './run.ts';
import { hex, type Xml } from './xml.ts';

/** Returns the color of a severity before the heading of its findings. */
export const severityMark = (severity: Heading['severity'], level: number): Xml =>
  severity && level < 3 ? run('■ ', { color: hex(severityColors[severity]) }) : '';

/** The number of entries that fit on a page of the contents. */
const entriesPerPage = 42;

/**
 * Returns a table of contents that Word can update. Its entries link to their headings and show estimated page numbers
 * until then.
 */
export function contents(content: DocumentContent, references: References): Xml {
  const { blocks, contentsDepth: depth } = content;
  if (depth === 0) return '';
  const entries = headingsOf(blocks).filter(({ level }) => level <= depth);
  const pages = estimatePages(content, 2 + Math.ceil(entries.length / entriesPerPage));
  const begin =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' +
    `<w:r><w:instrText xml:space="preserve"> TOC \\o "1-${depth}" \\h \\z \\u </w:instrText></w:r>` +
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r>';
  const end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>';
  const lines = entries.map(({ level, text, id, severity }, index) => {
    const link = references.innerLink(
      id,
      severityMark(severity, level) +
        run(`${plainText(text, { line: true, max: 120 })}\t`) +
        field(`PAGEREF ${id} \\h`, run(String(pages.get(id) ?? ''))),
    );
    return paragraph(`TOC${level}`, (index === 0 ? begin : '') + link + (index === entries.length - 1 ? end : ''));
  });
  return (
    '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj></w:sdtPr>' +
    `<w:sdtContent>${textParagraph('TOCHeading', wordingIn(content.language).say('contents.title'), { pageBreakBefore: true })}${lines.join('')}</w:sdtContent></w:sdt>`
  );
}
