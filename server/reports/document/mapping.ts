import { severities } from '@assay/scanner/contract/severity.ts';
import { choose } from '../../findings/filters/negation.ts';
import type { FilterInput } from '../../findings/filters/table.ts';
import { openStatuses } from '../../findings/lifecycle.ts';
import { standards } from '../../findings/standards/standards.ts';
import type { MappedCategory, MappedStandard } from '../mapping-model.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, heading, link, paragraph, type Row, table, text } from './blocks.ts';
import { figureCells, figureColumn } from './figure-cells.ts';
import type { Targets } from './targets.ts';
import { lineOf } from './texts.ts';

/** Further weaknesses have few findings. */
const shownWeaknesses = 15;
/** More categories without findings are only counted. */
const maxListed = 12;

/** Returns the open findings by weakness and by the categories of standards. */
export function mappingBlocks(head: ReportHead, targets: Targets): Block[] {
  const { analysis, open } = head;
  if (!analysis || open === 0) return [];
  const words = wordingOf(head);
  const { say } = words;
  const { weaknesses, without_cwe: without, standards: mapped } = analysis.mapping;
  const title = say('mapping.weaknesses');
  return [
    heading(1, 'mapping', say('heading.mapping')),
    paragraph(without === 0 ? say('mapping.all') : say('mapping.some', { n: without, open })),
    ...(weaknesses.length > 0 ? [categoryTable(title, weaknesses.slice(0, shownWeaknesses), title, words)] : []),
    ...mapped.flatMap((standard) => standardBlocks(standard, words, head, targets)),
  ];
}

/**
 * Returns the filters that select the report's open findings for a requirement; null if the report already filters by
 * standard.
 */
function filtersOf({ filters }: ReportHead, value: string): FilterInput | null {
  if (filters.standard) return null;
  return { ...filters, status: choose(openStatuses, filters.status) ?? [...openStatuses], standard: [value] };
}

function standardBlocks(
  { id, name, source, categories, unmapped }: MappedStandard,
  words: Wording,
  head: ReportHead,
  targets: Targets,
): Block[] {
  const { say, list } = words;
  const rows = new Map(standards.find((standard) => standard.id === id)?.rows.map((row) => [row.id, row.name]));
  const found = categories
    .filter((category) => category.open > 0)
    .map((category): LinkedCategory => {
      const filters = filtersOf(head, `${id}:${category.id}`);
      const name = rows.get(category.id)?.[head.document.language] ?? category.name;
      return { ...category, name, url: filters && targets.list(filters) };
    });
  const empty = categories.filter((category) => category.open === 0).map((category) => category.id);
  const without =
    empty.length === 0
      ? ''
      : empty.length > maxListed
        ? say('mapping.empty_count', { n: empty.length })
        : say('mapping.empty', { list: list(empty) });
  const counted = say('mapping.unmapped', { n: unmapped }) + without + say('mapping.source');
  return [
    heading(2, `standard_${id.replace(/\W/g, '_')}`, name),
    paragraph([text(counted), link(source)], 'note'),
    ...(found.length > 0 ? [categoryTable(null, found, name, words)] : []),
  ];
}

type LinkedCategory = MappedCategory & { url?: string | null };

function categoryTable(caption: string | null, categories: LinkedCategory[], name: string, words: Wording): Block {
  // Few tables have any of severity info; an empty column would only take space from the names.
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
        cells: [
          [category.url ? link(category.url, lineOf(category.id, 40)) : text(lineOf(category.id, 40))],
          [text(lineOf(category.name, 160))],
          ...figureCells(figures, words),
        ],
      };
    }),
  });
}
