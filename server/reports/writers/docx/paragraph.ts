import { isRightToLeft, type RunLook, run } from './run.ts';
import type { Xml } from './xml.ts';

/**
 * Properties of a paragraph besides its style. `list` is a level of the bulleted list; `indent` is in twentieths of a
 * point.
 */
export type ParagraphLook = {
  keepNext?: boolean;
  /** The space before it in twentieths of a point, instead of its style's. */
  before?: number;
  pageBreakBefore?: boolean;
  /** Allows line breaks within a word, for code and paths without spaces. */
  breakWords?: boolean;
  list?: number;
  rightToLeft?: boolean;
  indent?: { left: number; hanging?: number };
};

/** The id that `docx` assigns to the list of the frame; 1 is a list of `docx` itself. */
const bulletList = 2;

/** Returns a paragraph of these runs in a style, given by its id. */
export function paragraph(style: string, runs: Xml, look: ParagraphLook = {}): Xml {
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/>${lookXml(look)}</w:pPr>${runs}</w:p>`;
}

/** Returns a paragraph of plain text; its first letter decides its direction. */
export function textParagraph(style: string, text: string, look: RunLook & ParagraphLook = {}): Xml {
  return paragraph(style, run(text, look), { rightToLeft: isRightToLeft(text), ...look });
}

/** Returns a paragraph of code, evidence or a path, which always runs from left to right. */
export const codeParagraph = (style: 'Code', text: string, look: ParagraphLook = {}): Xml =>
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

/** Returns paragraphs that stay on the page of the next one. */
export const keptWithNext = (paragraphs: Xml): Xml =>
  paragraphs.replace(/(<w:pStyle w:val="[^"]*"\/>)(?!<w:keepNext\/>)/g, '$1<w:keepNext/>');
