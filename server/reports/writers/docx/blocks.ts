import type { Block, Heading, KeyFigure, ParagraphStyle } from '../../document/blocks.ts';
import { isShort } from '../../document/layout/pages.ts';
import { plainText } from '../../plain-text.ts';
import { factsTable, figureTable } from './block-tables.ts';
import { severityMark } from './contents.ts';
import { figures } from './figures.ts';
import { inlineRuns, inlineText } from './inlines.ts';
import { markdownParagraphs } from './markdown.ts';
import { codeParagraph, keptWithNext, paragraph, textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import { isRightToLeft, run } from './run.ts';
import { table } from './table.ts';
import type { Xml } from './xml.ts';

const paragraphStyles: Record<ParagraphStyle, string> = {
  lead: 'Lead',
  body: 'BodyText',
  note: 'Note',
  small: 'SmallText',
  card: 'CardText',
};

/** Returns a block of the document as paragraphs and tables. */
export function blockXml(block: Block, references: References): Xml {
  switch (block.kind) {
    case 'heading':
      return headingXml(block, references);
    case 'paragraph':
      return labelled(
        block.label,
        paragraph(paragraphStyles[block.style], inlineRuns(block.inlines, references), {
          rightToLeft: isRightToLeft(inlineText(block.inlines)),
        }),
      );
    case 'list':
      return block.items
        .map((item, index) =>
          block.ordered
            ? paragraph('ListNumber', run(`${index + 1}.\t`) + inlineRuns(item, references), {
                indent: { left: 340, hanging: 280 },
              })
            : paragraph('ListBullet', inlineRuns(item, references), { list: 0 }),
        )
        .join('');
    case 'key_figures':
      return keyFigures(block.figures, references);
    case 'facts':
      return factsTable(block.facts, references);
    case 'table':
      return figureTable(block, references);
    case 'charts':
      return figures(block.charts, references);
    case 'markdown':
      return labelled(block.label, markdownParagraphs(block.blocks, references));
    case 'evidence':
      return labelled(block.label, codeParagraph('Code', plainText(block.text).replace(/\n+$/, '')));
    case 'comment':
      return labelled(block.label, commentXml(block));
    case 'together': {
      const parts = block.blocks.map((part) => blockXml(part, references));
      if (!isShort(block.blocks)) return parts.join('');
      const kept = block.withNext ? parts.length : parts.length - 1;
      return parts.map((part, index) => (index < kept ? keptWithNext(part) : part)).join('');
    }
  }
}

const labelled = (label: string | null | undefined, content: Xml): Xml =>
  label && content ? textParagraph('Heading4', label) + content : content;

function headingXml({ level, id, text, severity, aside, newPage }: Heading, references: References): Xml {
  const title = plainText(text, { line: true, max: 200 });
  const end = aside ? run('\t') + run(aside, { style: 'Aside' }) : '';
  return paragraph(`Heading${level}`, severityMark(severity, level) + references.bookmark(id, run(title)) + end, {
    ...(newPage ? { pageBreakBefore: true } : {}),
    rightToLeft: isRightToLeft(title),
  });
}

/** Returns the key figures side by side, as tables with a column for each. */
function keyFigures(list: KeyFigure[], references: References): Xml {
  const across = list.length === 6 ? 3 : list.length;
  const rows: Xml[] = [];
  for (let start = 0; start < list.length; start += across)
    rows.push(keyFigureTable(list.slice(start, start + across), references));
  return rows.join('');
}

function keyFigureTable(list: KeyFigure[], references: References): Xml {
  const row = (style: string, texts: string[]) =>
    texts.map((value) => ({ content: textParagraph(style, plainText(value, { line: true })) }));
  return (
    table({
      style: 'Tiles',
      widths: list.map(() => Math.floor(9_600 / list.length)),
      header: row(
        'TileLabel',
        list.map((figure) => figure.label),
      ),
      rows: [
        row(
          'TileValue',
          list.map((figure) => figure.value),
        ),
        ...(list.some((figure) => figure.note)
          ? [
              row(
                'TileNote',
                list.map((figure) => figure.note),
              ),
            ]
          : []),
      ],
      description: references.words.say('layout.key_figures'),
    }) + textParagraph('Spacer', ' ')
  );
}

function commentXml({ author, at, text }: Extract<Block, { kind: 'comment' }>): Xml {
  const name = plainText(author, { line: true, max: 100 });
  // Without the mark, the date would be displayed inside a right-to-left name.
  const by = run(`${name}${isRightToLeft(name) ? '\u200E' : ''}, ${at}`);
  return paragraph('CommentBy', by) + textParagraph('ReportComment', plainText(text).trim());
}
