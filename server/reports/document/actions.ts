import { severities } from '../../findings/severity.ts';
import type { ReportAction } from '../analysis/analysis-model.ts';
import { count, formatDay, formatNumber, listed, severityNames, share } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import { type Block, heading, type Inline, note, paragraph, strong, table, text } from './blocks.ts';
import { flatMarkdown, lineOf, shortened } from './texts.ts';

const maxAdvice = 170;

/** Returns the actions that close most, with owner and due date; `targets` has the headings of the findings. */
export function actionBlocks(head: ReportHead, targets: Map<string, string>): Block[] {
  const actions = head.analysis?.actions;
  if (!actions || actions.first.length === 0) return [];
  return [
    heading(1, 'actions', 'What to do', { newPage: true }),
    paragraph(coverage(head)),
    table({
      caption: null,
      description: 'Actions in order of what they close, with owner and due date',
      columns: [
        { label: '#', width: { mm: 8 } },
        { label: 'Action', width: { share: 1 } },
        { label: 'Closes', width: { mm: 27 } },
        { label: 'Owner', width: { mm: 27 } },
        { label: 'Due', width: { mm: 25 } },
      ],
      rows: actions.first.map((action, index) => ({
        cells: [
          [text(String(index + 1))],
          actionInlines(action, targets),
          closes(action),
          [text(action.owners.length > 0 ? listed(action.owners.map(({ name }) => lineOf(name, 60))) : 'No owner')],
          due(action),
        ],
      })),
    }),
    paragraph(
      'Actions are ordered by the findings that they close, weighted by severity and priority. The owner is that of the data source; the due date is the earliest of these findings.',
      'note',
    ),
  ];
}

function coverage({ analysis, open, open_by_severity: severe }: ReportHead): string {
  const { first, total, covered } = analysis!.actions;
  const all = severe.critical + severe.high;
  const which =
    first.length === total
      ? `${count(total, 'action')} would close`
      : `These ${first.length} of ${count(total, 'action')} close`;
  const part =
    all > 0
      ? `, and ${formatNumber(covered.critical_high)} of the ${formatNumber(all)} critical and high ones (${share(covered.critical_high, all)})`
      : '';
  return `${which} ${formatNumber(covered.open)} of ${count(open, 'open finding')} (${share(covered.open, open)})${part}.`;
}

/** Returns what to do, in a few words. */
function actionTitle({ kind, name, package: found }: ReportAction): string {
  const shown = lineOf(name, 120);
  if (kind === 'rotate_secret') return `Rotate the secret: ${shown}`;
  if (kind === 'fix') return shown;
  return found?.version
    ? `Upgrade ${shown} to ${lineOf(found.version, 60)}`
    : `Replace or isolate ${shown}: no fixed version is known`;
}

function actionInlines(action: ReportAction, targets: Map<string, string>): Inline[] {
  const target = targets.get(action.finding_id);
  const title = actionTitle(action);
  const advice = action.kind !== 'upgrade' && action.remediation ? shortened(action.remediation.trim(), maxAdvice) : '';
  const names = action.data_sources.map(({ name }) => lineOf(name, 60));
  const others = action.data_source_count - names.length;
  const where = others > 0 ? [...names, count(others, 'other')] : names;
  return [
    target === undefined ? strong(title) : { kind: 'goto', target, text: title },
    note(`\n${action.cwe ? `${action.cwe}, in ` : 'In '}${listed(where)}`),
    ...(advice ? [text('\n'), ...flatMarkdown(advice)] : []),
  ];
}

function closes({ findings, by_severity: figures }: ReportAction): Inline[] {
  const parts = severities
    .filter((severity) => figures[severity] > 0)
    .map((severity) => `${formatNumber(figures[severity])} ${severityNames[severity].toLowerCase()}`);
  return [text(formatNumber(findings)), note(`\n${parts.join(', ')}`)];
}

function due({ earliest_due_at: at, overdue }: ReportAction): Inline[] {
  const day = text(at ? formatDay(at) : 'No due date');
  return overdue > 0 ? [day, note(`\n${formatNumber(overdue)} overdue`)] : [day];
}
