import { severities } from '../../findings/severity.ts';
import type { ChangedFindings } from '../analysis/analysis-model.ts';
import { formatDay, severityNames } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import { type Block, heading, paragraph, type Row, severityBadge, table, text } from './blocks.ts';
import { figureCells, figureColumn } from './figure-cells.ts';
import { findingInline } from './summary.ts';
import { lineOf } from './texts.ts';

const kinds = [
  ['new', 'New'],
  ['fixed', 'Fixed'],
  ['reopened', 'Reopened'],
  ['accepted', 'Newly accepted'],
] as const;

/** Returns what changed since the earlier report or the start of the period; at most `max` findings of each kind. */
export function changeBlocks(head: ReportHead, targets: Map<string, string>, max: number): Block[] {
  const changes = head.analysis?.changes;
  if (!changes) return [];
  const listed = kinds.flatMap(([kind, name]) =>
    changes[kind].most_severe.slice(0, max).map((finding) => ({ name, finding })),
  );
  return [
    heading(1, 'changes', 'What changed', { newPage: max >= 5 }),
    paragraph(`Since ${formatDay(changes.since)}.`),
    table({
      caption: 'Changes by severity',
      description: 'Number of new, fixed, reopened and newly accepted findings by severity',
      columns: [
        { label: 'Change', width: { share: 1 } },
        ...severities.map((severity) => figureColumn(severityNames[severity])),
        figureColumn('Total'),
      ],
      rows: kinds.map(([kind, name]) => countRow(name, changes[kind])),
    }),
    ...(listed.length === 0
      ? []
      : [
          table({
            caption: `The most severe of them${someLeftOut(changes, max) ? `, at most ${max} of each kind` : ''}`,
            description: 'The most severe new, fixed, reopened and accepted findings',
            dense: true,
            columns: [
              { label: 'Change', width: { mm: 23 } },
              { label: 'Severity', width: { mm: 20 } },
              { label: 'Finding', width: { share: 1 } },
              { label: 'Data source', width: { mm: 36 } },
              { label: 'Date', width: { mm: 20 } },
            ],
            rows: listed.map(
              ({ name, finding }): Row => ({
                cells: [
                  [text(name)],
                  [severityBadge(finding.severity)],
                  [findingInline(finding.id, lineOf(finding.title, 100), targets)],
                  [text(lineOf(finding.data_source.name, 60))],
                  [text(finding.at.slice(0, 10))],
                ],
              }),
            ),
          }),
        ]),
  ];
}

const countRow = (name: string, { total, by_severity: figures }: ChangedFindings): Row => ({
  cells: [[text(name)], ...figureCells([...severities.map((severity) => figures[severity]), total])],
});

const someLeftOut = (changes: Record<(typeof kinds)[number][0], ChangedFindings>, max: number) =>
  kinds.some(([kind]) => changes[kind].total > max);
