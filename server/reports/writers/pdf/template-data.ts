import { severities } from '@assay/scanner/contract/severity.ts';
import { printedSize } from '../../branding/branding.ts';
import {
  type Block,
  type Column,
  type Cover,
  type DocumentContent,
  type Fact,
  type Heading,
  keywordsOf,
  type Row,
  type Table,
} from '../../document/blocks.ts';
import { factLines } from '../../document/facts.ts';
import { isShort, rowsKeptTogether } from '../../document/layout/pages.ts';
import { inkColor, mutedColor, ruleColor, severityColors } from '../../labels.ts';
import { tlpLabels } from '../../report-document.ts';
import { type Wording, wordingIn } from '../../sentences/wording.ts';
import { richBlock, richInlines } from './inlines.ts';
import { lineOf, runsRightToLeft, words } from './text.ts';

/** In points: the height of a page's text, as report.typ sets it. */
const pageHeights = { a4: 745, letter: 695 };
/** A caption with the space around it, and the header of a table, in points. */
const captionHeight = 30;
const headerHeight = 12;
const fontSize = 7;
/** Shorter tables are not split. */
const minRows = 150;
/** The minimum number of rows on a page. */
const fewRows = 3;

/** Returns the height of a row whose lines are known, in points, as in blocks.typ. */
const heightOf = ({ lines = 1 }: Row): number => (lines - 1) * 1.25 * fontSize + 0.75 * fontSize + 4.6;

/** A block; with `newPage` it starts a page. */
type Placed = { block: Block; newPage: boolean };

/**
 * Returns the blocks with each long table split into one table per page, if the lines of its rows are known. Together
 * they look like one table. Typst's time per row grows with the table, and it lays out the parts between page breaks in
 * parallel: 800 rows take half of the processor time.
 */
export function withPageTables(blocks: Block[], paper: 'a4' | 'letter'): Placed[] {
  return blocks.flatMap((block, index): Placed[] => {
    const before = blocks[index - 1]?.kind;
    // A heading or a text before the table stays with it.
    const isLong = block.kind === 'table' && block.tight && block.rows.length >= minRows && before === 'table';
    if (!isLong || !block.rows.every(({ lines }) => lines)) return [{ block, newPage: false }];
    return pagesOf(block, pageHeights[paper]).map((table) => ({ block: table, newPage: true }));
  });
}

function pagesOf(table: Table, pageHeight: number): Table[] {
  const pages: Row[][] = [[]];
  let left = pageHeight - captionHeight - headerHeight;
  for (const row of table.rows) {
    const height = heightOf(row);
    if (height > left) {
      pages.push([]);
      left = pageHeight - headerHeight;
    }
    pages.at(-1)!.push(row);
    left -= height;
  }
  const last = pages.at(-1)!;
  if (last.length < fewRows) last.unshift(...pages.at(-2)!.splice(last.length - fewRows));
  return pages.map((rows, index) => (index === 0 ? { ...table, rows } : { ...table, rows, caption: null }));
}

/** Points per unit of a chart: 640 units are the width of the text. */
const pointsPerUnit = 0.735;

/** Returns the input of the template, as JSON: texts, figures and trees, in the order of the pages. */
export function templateData(content: DocumentContent) {
  const { say, day, severity: nameOf } = wordingIn(content.language);
  return {
    title: `${lineOf(content.organization, 80)}: ${lineOf(content.title, 120)}`,
    author: content.author,
    keywords: keywordsOf(content),
    running: words(`${lineOf(content.organization, 40)} · ${lineOf(content.title, 60)}`),
    language: content.language,
    words: {
      contents: say('contents.title'),
      page: say('footer.page', { page: '\u0000', pages: '\u0000' }).split('\u0000'),
      'by-severity': say('cover.by_severity'),
      table: say('caption.table'),
      figure: say('caption.figure'),
    },
    date: `${content.state} · ${day(content.takenAt)}`,
    label: content.label && { text: content.label, color: tlpLabels[content.label] },
    footer: words(lineOf(content.footer, 200)),
    paper: content.paper === 'letter' ? 'us-letter' : 'a4',
    colors: { accent: content.accent, ink: inkColor, muted: mutedColor, rule: ruleColor },
    severities: Object.fromEntries(
      severities.map((severity) => [severity, { name: nameOf(severity), color: severityColors[severity] }]),
    ),
    'contents-depth': content.contentsDepth,
    cover: coverData(content),
    blocks: withPageTables(content.blocks, content.paper).map(({ block, newPage }) => blockData(block, newPage)),
  };
}

function coverData({ organization, title, cover, footer, language, logo }: DocumentContent) {
  const { say } = wordingIn(language);
  return {
    logo: logo && { ...printedSize(logo), alternative: say('cover.logo', { organization }) },
    organization: words(lineOf(organization, 80)),
    title: words(lineOf(title, 120), { whole: title.length > 60 ? 30 : 21 }),
    'title-size': title.length > 60 ? 24 : 34,
    subtitle: words(cover.subtitle),
    figures: cover.figures,
    severities: severityStrip(cover.severities, wordingIn(language)),
    /** The minimum size of a part of the strip, so that one finding among thousands is visible. */
    thinnest: severities.reduce((sum, severity) => sum + cover.severities[severity], 0) / 80,
    facts: cover.facts.map(({ label, inlines }) => ({ label, inlines: richInlines(inlines) })),
    footer: words(lineOf(footer, 200)),
  };
}

const severityStrip = (open: Cover['severities'], { number }: Wording) =>
  severities.map((severity) => ({ severity, open: open[severity], count: number(open[severity]) }));

function blockData(block: Block, newPage = false): object {
  switch (block.kind) {
    case 'heading':
      return headingData(block);
    case 'paragraph':
      return {
        ...block,
        label: block.label ?? null,
        inlines: richInlines(block.inlines),
        rtl: runsRightToLeft(lettersIn(block.inlines)),
      };
    case 'list':
      return { ...block, items: block.items.map(richInlines) };
    case 'key_figures':
      return {
        ...block,
        figures: block.figures.map((figure) => ({ ...figure, label: words(figure.label), note: words(figure.note) })),
      };
    case 'facts':
      return { kind: 'facts', lines: factLines(block.facts).map((line) => line.map(factData)) };
    case 'table':
      return { ...tableData(block), 'new-page': newPage };
    case 'charts':
      return {
        kind: 'charts',
        charts: block.charts.map(({ caption, alternative, svg, width }) => ({
          caption: words(caption),
          alternative,
          svg,
          width: width * pointsPerUnit,
        })),
      };
    case 'markdown':
      return { ...block, blocks: block.blocks.map(richBlock) };
    case 'evidence':
      return { ...block, dense: block.dense === true, text: words(block.text, { code: true }) };
    case 'comment':
      return {
        ...block,
        author: words(block.author, { line: true, max: 200 }),
        text: words(block.text),
        rtl: runsRightToLeft(block.text),
      };
    case 'together':
      return {
        kind: 'together',
        sticky: block.withNext === true,
        level: block.blocks[0]?.kind === 'heading' ? block.blocks[0].level : 3,
        breakable: !isShort(block.blocks),
        'new-page': block.blocks.some((part) => part.kind === 'heading' && part.newPage === true),
        blocks: block.blocks.map((part) => blockData(part.kind === 'heading' ? { ...part, newPage: false } : part)),
      };
  }
}

const lettersIn = (inlines: Parameters<typeof richInlines>[0]): string =>
  inlines
    .map((inline) => ('text' in inline ? inline.text : 'inlines' in inline ? lettersIn(inline.inlines) : ''))
    .join('');

const headingData = ({ level, id, text, severity, aside, newPage }: Heading) => ({
  kind: 'heading',
  level,
  id,
  text: words(lineOf(text, 200), { whole: 30 }),
  severity: severity ?? null,
  aside: aside ?? null,
  'new-page': newPage === true,
});

const factData = ({ label, inlines }: Fact) => ({ label, inlines: richInlines(inlines) });

function tableData({ caption, description, columns, rows, dense, tight }: Table) {
  return {
    kind: 'table',
    caption: caption === null ? null : words(caption),
    description,
    columns: columns.map(columnData),
    dense: dense === true,
    tight: tight === true,
    lines: rows.every((row) => row.lines) ? rows.map((row) => row.lines) : null,
    rows: rows.map(({ cells, total }) => ({ cells: cells.map(richInlines), total: total === true })),
    ...rowsKeptTogether(rows),
  };
}

const columnData = ({ label, width, align }: Column) => ({
  label: words(label),
  share: 'share' in width ? width.share : null,
  mm: 'mm' in width ? width.mm : null,
  right: align === 'right',
});
