import { severities } from '@assay/scanner/contract/severity.ts';
import type { ReportAction } from '../analysis-model.ts';
import { adviceIn } from '../mappings/remediations.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, heading, type Inline, note, paragraph, table, text } from './blocks.ts';
import { findingInline, type Targets } from './targets.ts';
import { flatMarkdown, lineOf, shortened } from './texts.ts';

const maxAdvice = 170;

/** Returns the actions that close most findings, with owner and due date. */
export function actionBlocks(head: ReportHead, targets: Targets): Block[] {
  const actions = head.analysis?.actions;
  if (!actions || actions.first.length === 0) return [];
  const words = wordingOf(head);
  const { say, list } = words;
  const ownersOf = ({ owners }: ReportAction) =>
    owners.length > 0 ? list(owners.map(({ name }) => lineOf(name, 60))) : say('no_owner');
  return [
    heading(1, 'actions', say('heading.actions'), { newPage: true }),
    paragraph(coverage(head)),
    table({
      caption: null,
      description: say('actions.description'),
      columns: [
        { label: '#', width: { mm: 8 } },
        { label: say('column.action'), width: { share: 1 } },
        { label: say('column.closes'), width: { mm: 27 } },
        { label: say('column.owner'), width: { mm: 27 } },
        { label: say('column.due'), width: { mm: 25 } },
      ],
      rows: actions.first.map((action, index) => ({
        cells: [
          [text(String(index + 1))],
          actionInlines(action, targets, words),
          closes(action, words),
          [text(ownersOf(action))],
          due(action, words),
        ],
      })),
    }),
    paragraph(say('actions.note'), 'note'),
  ];
}

function coverage(head: ReportHead): string {
  const { say, share } = wordingOf(head);
  const { first, total, covered } = head.analysis!.actions;
  const all = head.open_by_severity.critical + head.open_by_severity.high;
  const ofAll = { n: covered.critical_high, all, share: share(covered.critical_high, all) };
  return say(first.length === total ? 'actions.all' : 'actions.first', {
    n: total,
    first: first.length,
    closed: covered.open,
    open: head.open,
    share: share(covered.open, head.open),
    severe: all > 0 ? say('actions.severe', ofAll) : '',
  });
}

/** Returns the action in a few words. */
export function actionTitle({ kind, name, package: found }: ReportAction, { say }: Wording): string {
  const shown = lineOf(name, 120);
  if (kind === 'rotate_secret') return say('actions.rotate', { name: shown });
  if (kind === 'fix') return say('actions.fix', { name: shown });
  const current = found?.current.length === 1 ? [lineOf(found.current[0]!, 60)] : [];
  // Go itself is its own ecosystem.
  const ecosystem = found?.ecosystem && found.ecosystem !== name ? [`(${lineOf(found.ecosystem, 40)})`] : [];
  return found?.version
    ? say('actions.upgrade', { name: [shown, ...ecosystem].join(' '), version: lineOf(found.version, 60) })
    : say('actions.replace', { name: [shown, ...current, ...ecosystem].join(' ') });
}

/** Returns a sentence with the findings that an action closes, its owner and its due date. */
export function actionDetail(action: ReportAction, { say, list, day }: Wording): string {
  const names = action.owners.map(({ name }) => lineOf(name, 60));
  const parts = [
    say('actions.closes', { n: action.findings, sources: action.data_source_count }),
    names.length === 0 ? say('actions.not_owned') : say('actions.owned_by', { names: list(names) }),
    ...(action.earliest_due_at === null ? [] : [say('actions.due_on', { day: day(action.earliest_due_at) })]),
    ...(action.overdue > 0 ? [say('actions.overdue', { n: action.overdue })] : []),
  ];
  return `${parts.join('; ')}.`;
}

/**
 * Returns instructions for the action. The snapshot contains general advice in English; a document has it in its own
 * language.
 */
const adviceOf = ({ kind, remediation }: ReportAction, { language }: Wording): string =>
  kind === 'upgrade' || remediation === null ? '' : adviceIn(remediation, language);

function actionInlines(action: ReportAction, targets: Targets, words: Wording): Inline[] {
  const { say, list } = words;
  const title = actionTitle(action, words);
  const advice = shortened(adviceOf(action, words).trim(), maxAdvice);
  const names = action.data_sources.map(({ name }) => lineOf(name, 60));
  const others = action.data_source_count - names.length;
  const where = list(others > 0 ? [...names, say('count.others', { n: others })] : names);
  return [
    findingInline(action.finding_id, title, targets),
    note(`\n${action.cwe ? say('actions.where_cwe', { cwe: action.cwe, where }) : say('actions.where', { where })}`),
    ...(advice ? [text('\n'), ...flatMarkdown(advice)] : []),
  ];
}

function closes({ findings, by_severity: figures }: ReportAction, { say, number, severityWord }: Wording): Inline[] {
  const parts = severities
    .filter((severity) => figures[severity] > 0)
    .map((severity) => say('actions.severity', { n: figures[severity], severity: severityWord(severity) }));
  return [text(number(findings)), note(`\n${parts.join(', ')}`)];
}

function due({ earliest_due_at: at, overdue }: ReportAction, { say, date }: Wording): Inline[] {
  const shown = text(at ? date(at) : say('actions.no_due_date'));
  return overdue > 0 ? [shown, note(`\n${say('actions.overdue', { n: overdue })}`)] : [shown];
}
