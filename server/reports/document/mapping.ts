import { severities } from '../../findings/severity.ts';
import type { MappedCategory, MappedStandard } from '../mapping-model.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, heading, link, paragraph, type Row, table, text } from './blocks.ts';
import { figureCells, figureColumn } from './figure-cells.ts';
import { lineOf } from './texts.ts';

/** Further weaknesses have few findings. */
const shownWeaknesses = 15;
/** More categories without findings are only counted. */
const maxListed = 12;

/** Returns the open findings by weakness and by the categories of standards. */
export function mappingBlocks(head: ReportHead): Block[] {
  const { analysis, open } = head;
  if (!analysis || open === 0) return [];
  const words = wordingOf(head);
  const { say } = words;
  const { weaknesses, without_cwe: without, standards } = analysis.mapping;
  const title = say('mapping.weaknesses');
  return [
    heading(1, 'mapping', say('heading.mapping')),
    paragraph(without === 0 ? say('mapping.all') : say('mapping.some', { n: without, open })),
    ...(weaknesses.length > 0 ? [categoryTable(title, weaknesses.slice(0, shownWeaknesses), title, words)] : []),
    ...standards.flatMap((standard) => standardBlocks(standard, words)),
  ];
}

function standardBlocks({ id, name, source, categories, unmapped }: MappedStandard, words: Wording): Block[] {
  const { say, list } = words;
  const found = categories.filter((category) => category.open > 0);
  const empty = categories.filter((category) => category.open === 0).map((category) => category.id);
  const without =
    empty.length === 0
      ? ''
      : empty.length > maxListed
        ? say('mapping.empty_count', { n: empty.length })
        : say('mapping.empty', { list: list(empty) });
  const counted = say('mapping.unmapped', { n: unmapped }) + without + say('mapping.source');
  return [
    heading(2, `standard_${id}`, name),
    paragraph([text(counted), link(source)], 'note'),
    ...(found.length > 0 ? [categoryTable(null, found, name, words)] : []),
  ];
}

function categoryTable(caption: string | null, categories: MappedCategory[], name: string, words: Wording): Block {
  // Few tables have any of severity info; a column without figures only takes the room of the names.
  const shown = severities.filter(
    (severity) => severity !== 'info' || categories.some(({ open_by_severity: figures }) => figures.info > 0),
  );
  return table({
    caption,
    description: words.say('mapping.description', { name }),
    dense: true,
    columns: [
      { label: words.say('column.category'), width: { mm: 26 } },
      { label: words.say('column.name'), width: { share: 1 } },
      ...shown.map((severity) => figureColumn(words.severity(severity), 16)),
      figureColumn(words.say('column.open'), 15),
    ],
    rows: categories.map((category): Row => {
      const figures = [...shown.map((severity) => category.open_by_severity[severity]), category.open];
      return {
        cells: [[text(lineOf(category.id, 40))], [text(lineOf(category.name, 160))], ...figureCells(figures, words)],
      };
    }),
  });
}
