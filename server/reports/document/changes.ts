import { severities } from '../../findings/severity.ts';
import type { ChangedFindings } from '../analysis-model.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, heading, paragraph, type Row, severityBadge, table, text } from './blocks.ts';
import { figureCells, figureColumn } from './figure-cells.ts';
import { namedFinding } from './named-finding.ts';
import type { Targets } from './targets.ts';
import { lineOf } from './texts.ts';

const kinds = ['new', 'fixed', 'reopened', 'accepted'] as const;
type Changes = Record<(typeof kinds)[number], ChangedFindings> & { since: string };

/** Returns what changed since the earlier report or the start of the period; at most `max` findings of each kind. */
export function changeBlocks(head: ReportHead, targets: Targets, max: number): Block[] {
  const changes = head.analysis?.changes;
  if (!changes) return [];
  const words = wordingOf(head);
  const { say, day, severity } = words;
  return [
    heading(1, 'changes', say('heading.changes'), { newPage: max >= 5 }),
    paragraph(say('changes.since', { day: day(changes.since) })),
    table({
      caption: say('changes.caption'),
      description: say('changes.description'),
      columns: [
        { label: say('column.change'), width: { share: 1 } },
        ...severities.map((name) => figureColumn(severity(name))),
        figureColumn(say('column.total')),
      ],
      rows: kinds.map((kind) => countRow(say(`change.${kind}`), changes[kind], words)),
    }),
    ...mostSevere(changes, targets, max, words),
  ];
}

/** Returns the changes in one sentence. */
export function changeSentence(head: ReportHead): string {
  const changes = head.analysis?.changes;
  if (!changes) return '';
  const { say, list, day } = wordingOf(head);
  const parts = kinds
    .filter((kind) => changes[kind].total > 0)
    .map((kind) => say(`changed.${kind}`, { n: changes[kind].total }));
  const since = day(changes.since);
  return parts.length === 0
    ? say('changed.nothing', { day: since })
    : say('changed.some', { day: since, parts: list(parts) });
}

function mostSevere(changes: Changes, targets: Targets, max: number, { say, date }: Wording): Block[] {
  const listed = kinds.flatMap((kind) => changes[kind].most_severe.slice(0, max).map((finding) => ({ kind, finding })));
  if (listed.length === 0) return [];
  const isCut = kinds.some((kind) => changes[kind].total > max);
  return [
    table({
      caption: say(isCut ? 'changes.most_severe_cut' : 'changes.most_severe', { max }),
      description: say('changes.list_description'),
      dense: true,
      columns: [
        { label: say('column.change'), width: { mm: 23 } },
        { label: say('column.severity'), width: { mm: 20 } },
        { label: say('column.finding'), width: { share: 1 } },
        { label: say('column.data_source'), width: { mm: 36 } },
        { label: say('column.date'), width: { mm: 20 } },
      ],
      rows: listed.map(
        ({ kind, finding }): Row => ({
          cells: [
            [text(say(`change.${kind}`))],
            [severityBadge(finding.severity)],
            namedFinding(finding, targets, { title: 100, place: 80 }),
            [text(lineOf(finding.data_source.name, 60))],
            [text(date(finding.at))],
          ],
        }),
      ),
    }),
  ];
}

const countRow = (name: string, { total, by_severity: figures }: ChangedFindings, words: Wording): Row => ({
  cells: [[text(name)], ...figureCells([...severities.map((severity) => figures[severity]), total], words)],
});
