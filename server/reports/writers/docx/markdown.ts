import type { Block } from '../../markdown.ts';
import { plainText } from '../../plain-text.ts';
import { inlineRuns, inlineText } from './inlines.ts';
import { codeParagraph, type ParagraphLook, paragraph } from './paragraph.ts';
import type { References } from './references.ts';
import { isRightToLeft, run } from './run.ts';
import type { Xml } from './xml.ts';

/** The indent of a list from its container, in twentieths of a point. */
const listIndent = 340;
const hanging = 280;
const maxListLevel = 8;

/** The context of blocks: how many lists and quotes surround them, and the text before their first paragraph. */
type Place = { style: string; level: number; bullet?: boolean; number?: string };

/** Returns Markdown as paragraphs in the style `BodyText`. */
export function markdownParagraphs(blocks: Block[], references: References): Xml {
  return blocksXml(blocks, { style: 'BodyText', level: 0 }, references);
}

function blocksXml(blocks: Block[], place: Place, references: References): Xml {
  return blocks.map((block, index) => blockXml(block, index === 0 ? place : following(place), references)).join('');
}

/** Paragraphs of an item after the first are indented like its text. */
const following = ({ bullet, number, ...place }: Place): Place =>
  bullet || number !== undefined ? { ...place, style: 'ListContinue' } : place;

function blockXml(block: Block, place: Place, references: References): Xml {
  switch (block.kind) {
    case 'paragraph':
      return inlineParagraph(block.inlines, place, references, false);
    case 'heading':
      return inlineParagraph(block.inlines, place, references, true);
    case 'code':
      return codeParagraph('Code', plainText(block.text), indented(place));
    case 'quote':
      return blocksXml(block.blocks, { ...place, style: 'Quote' }, references);
    case 'list':
      return listXml(block, place, references);
  }
}

function listXml(list: Extract<Block, { kind: 'list' }>, place: Place, references: References): Xml {
  const level = Math.min(place.level + 1, maxListLevel);
  return list.items
    .map((item, index) => {
      const mark = list.ordered ? { number: `${list.start + index}.` } : { bullet: true };
      const style = list.ordered ? 'ListNumber' : 'ListBullet';
      return blocksXml(item, { style, level, ...mark }, references);
    })
    .join('');
}

type Inlines = Extract<Block, { kind: 'paragraph' | 'heading' }>['inlines'];

/**
 * Numbers are written as in the Markdown: Word miscounts beyond about 2,000 lists in a document, and lists may start at
 * any number.
 */
function inlineParagraph(inlines: Inlines, place: Place, references: References, isHeading: boolean): Xml {
  const number = place.number === undefined ? '' : run(`${place.number}\t`);
  const runs = inlineRuns(inlines, references, isHeading ? { bold: true } : {});
  return paragraph(place.style, number + runs, {
    ...(isHeading ? { keepNext: true } : {}),
    ...(place.bullet ? { list: place.level - 1 } : indented(place)),
    rightToLeft: isRightToLeft(inlineText(inlines)),
  });
}

function indented({ level, number }: Place): ParagraphLook {
  if (level === 0) return {};
  return { indent: { left: level * listIndent, ...(number === undefined ? {} : { hanging }) } };
}
