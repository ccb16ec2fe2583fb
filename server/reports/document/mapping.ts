import { severities } from '../../findings/severity.ts';
import type { MappedCategory, MappedStandard } from '../analysis/analysis-model.ts';
import { count, formatNumber, listed, severityNames } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import { type Block, heading, link, paragraph, type Row, table, text } from './blocks.ts';
import { figureCells, figureColumn } from './figure-cells.ts';
import { lineOf } from './texts.ts';

/** Further weaknesses have few findings. */
const shownWeaknesses = 15;
const shownSeverities = severities.filter((severity) => severity !== 'info');

/** Returns the open findings by weakness and by the categories of standards. */
export function mappingBlocks({ analysis, open }: ReportHead): Block[] {
  if (!analysis || open === 0) return [];
  const { weaknesses, without_cwe: without, standards } = analysis.mapping;
  return [
    heading(1, 'mapping', 'Mapping to standards'),
    paragraph(
      `Findings are mapped by their CWE, or by the known CWE of their rule. ${without === 0 ? 'All open findings have one' : `${formatNumber(without)} of ${count(open, 'open finding')} have none, so they are in no table below`}. A finding may be in several categories.`,
    ),
    ...(weaknesses.length > 0 ? [categoryTable('Most frequent weaknesses', weaknesses.slice(0, shownWeaknesses))] : []),
    ...standards.flatMap(standardBlocks),
  ];
}

function standardBlocks({ id, name, source, categories, unmapped }: MappedStandard): Block[] {
  const found = categories.filter((category) => category.open > 0);
  const empty = categories.filter((category) => category.open === 0).map((category) => category.id);
  const without =
    empty.length === 0
      ? ''
      : empty.length > 12
        ? ` ${count(empty.length, 'category', 'categories')} ${empty.length === 1 ? 'has' : 'have'} no open findings.`
        : ` Without open findings: ${listed(empty)}.`;
  return [
    heading(2, `standard_${id}`, name),
    ...(found.length > 0 ? [categoryTable(null, found, name)] : []),
    paragraph([text(`${count(unmapped, 'open finding')} in no category.${without} Source: `), link(source)], 'note'),
  ];
}

const categoryTable = (caption: string | null, categories: MappedCategory[], name = caption ?? ''): Block =>
  table({
    caption,
    description: `Open findings by category and severity: ${name}`,
    dense: true,
    columns: [
      { label: 'Category', width: { mm: 26 } },
      { label: 'Name', width: { share: 1 } },
      ...shownSeverities.map((severity) => figureColumn(severityNames[severity], 16)),
      figureColumn('Open', 15),
    ],
    rows: categories.map(
      (category): Row => ({
        cells: [
          [text(lineOf(category.id, 40))],
          [text(lineOf(category.name, 160))],
          ...figureCells([...shownSeverities.map((severity) => category.open_by_severity[severity]), category.open]),
        ],
      }),
    ),
  });
