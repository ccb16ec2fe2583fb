import { isRightToLeft, type RunLook, run } from './run.ts';
import type { Xml } from './xml.ts';

/** What a paragraph says besides its style. `list` is a level of the bulleted list, `indent` twentieths of a point. */
export type ParagraphLook = {
  keepNext?: boolean;
  /** Space before it, in twentieths of a point, other than its style's. */
  before?: number;
  pageBreakBefore?: boolean;
  /** Lines may end within a word, as code and paths without spaces need. */
  breakWords?: boolean;
  list?: number;
  rightToLeft?: boolean;
  indent?: { left: number; hanging?: number };
};

/** The id that `docx` gives the list of the frame; 1 is one of its own. */
const bulletList = 2;

/** A paragraph of these runs, in a style by its id. */
export function paragraph(style: string, runs: Xml, look: ParagraphLook = {}): Xml {
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/>${lookXml(look)}</w:pPr>${runs}</w:p>`;
}

/** A paragraph of plain text; its direction is that of its first letter. */
export function textParagraph(style: string, text: string, look: RunLook & ParagraphLook = {}): Xml {
  return paragraph(style, run(text, look), { rightToLeft: isRightToLeft(text), ...look });
}

/** Code, evidence and paths: always from left to right. */
export const codeParagraph = (style: 'Code' | 'TableCode', text: string, look: ParagraphLook = {}): Xml =>
  paragraph(style, run(text), { breakWords: true, ...look });

/** In the order of the schema: pStyle, keepNext, pageBreakBefore, numPr, wordWrap, bidi, spacing, ind. */
function lookXml({ keepNext, pageBreakBefore, breakWords, list, rightToLeft, before, indent }: ParagraphLook): Xml {
  return [
    keepNext ? '<w:keepNext/>' : '',
    pageBreakBefore ? '<w:pageBreakBefore/>' : '',
    list === undefined ? '' : `<w:numPr><w:ilvl w:val="${list}"/><w:numId w:val="${bulletList}"/></w:numPr>`,
    breakWords ? '<w:wordWrap w:val="0"/>' : '',
    rightToLeft ? '<w:bidi/>' : '',
    before ? `<w:spacing w:before="${before}"/>` : '',
    indent ? `<w:ind w:left="${indent.left}"${indent.hanging ? ` w:hanging="${indent.hanging}"` : ''}/>` : '',
  ].join('');
}
