import { severities } from '@assay/scanner/contract/severity.ts';
import { statuses } from '../../findings/lifecycle.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, heading, type Inline, paragraph, severityBadge, strong, table, text } from './blocks.ts';
import { figureCells, figureColumn } from './figure-cells.ts';
import { lineOf } from './texts.ts';

const terms = [
  ...(['cve', 'cvss', 'cwe', 'data_source', 'detection_source'] as const),
  ...(['due_date', 'epss', 'owner', 'priority'] as const),
];

/** Explains the report to readers who did not create it. */
export function appendixBlocks(head: ReportHead): Block[] {
  const words = wordingOf(head);
  const { say, moment } = words;
  return [
    // The preceding section may end with a line on a separate page.
    heading(1, 'appendix', say('heading.appendix'), { newPage: false }),
    paragraph(say('appendix.snapshot', { at: moment(head.taken_at), id: head.id })),
    paragraph(say('appendix.finding')),
    heading(2, 'severities', say('heading.severities')),
    meanings(
      'severity',
      severities.map((severity) => [[severityBadge(severity)], [text(say(`severity_meaning.${severity}`))]]),
      words,
    ),
    heading(2, 'statuses', say('heading.statuses')),
    meanings(
      'status',
      statuses.map((status) => [[strong(say(`status.${status}`))], [text(say(`status_meaning.${status}`))]]),
      words,
    ),
    ...comparisonBlocks(head),
    ...toolBlocks(head),
    heading(2, 'glossary', say('heading.glossary')),
    meanings(
      'term',
      terms.map((term) => [[strong(say(`glossary.${term}.term`))], [text(say(`glossary.${term}`))]]),
      words,
    ),
  ];
}

/** Explains which severity counts, and where the tool's severity and the CVSS score disagree. */
function comparisonBlocks(head: ReportHead): Block[] {
  const comparison = head.analysis?.severity_comparison;
  if (!comparison || comparison.compared === 0) return [];
  const words = wordingOf(head);
  const { say } = words;
  const { compared, agree, tool_higher: higher, tool_lower: lower, pairs } = comparison;
  return [
    heading(2, 'severity_and_cvss', say('heading.severity_and_cvss')),
    paragraph(say('appendix.cvss', { n: compared, agree, higher, lower })),
    ...(pairs.length === 0
      ? []
      : [
          table({
            caption: null,
            description: say('appendix.cvss_description'),
            columns: [
              { label: say('column.tool'), width: { mm: 34 } },
              { label: say('appendix.cvss_column'), width: { share: 1 } },
              figureColumn(say('column.findings'), 25),
            ],
            rows: pairs.map(({ tool, cvss, findings }) => ({
              cells: [[severityBadge(tool)], [severityBadge(cvss)], ...figureCells([findings], words)],
            })),
          }),
        ]),
  ];
}

function toolBlocks(head: ReportHead): Block[] {
  const { analysis } = head;
  if (!analysis || analysis.tools.length === 0) return [];
  const words = wordingOf(head);
  const { say, date } = words;
  return [
    heading(2, 'tools', say('heading.tools')),
    table({
      caption: null,
      description: say('appendix.tools_description'),
      dense: true,
      columns: [
        { label: say('column.tool'), width: { share: 1 } },
        { label: say('column.version'), width: { mm: 30 } },
        { label: say('column.last_complete_scan'), width: { mm: 34 } },
        figureColumn(say('column.data_sources'), 25),
        figureColumn(say('column.findings')),
      ],
      rows: analysis.tools.map((tool) => ({
        cells: [
          [text(lineOf(tool.name, 80))],
          [text(tool.version ? lineOf(tool.version, 40) : say('not_known'))],
          [text(tool.last_complete_scan_at ? date(tool.last_complete_scan_at) : say('never'))],
          ...figureCells([tool.data_sources, tool.findings], words),
        ],
      })),
    }),
  ];
}

const meanings = (first: 'severity' | 'status' | 'term', rows: Inline[][][], { say }: Wording): Block =>
  table({
    caption: null,
    description: say(`appendix.${first}_description`),
    dense: true,
    columns: [
      { label: say(`column.${first}`), width: { mm: 34 } },
      { label: say('column.meaning'), width: { share: 1 } },
    ],
    rows: rows.map((cells) => ({ cells })),
  });
