import { severities } from '../../findings/severity.ts';
import { keyFigureNames, type ReportAction, type ReportAnalysis } from '../analysis/analysis-model.ts';
import { remediationOf } from '../mappings/remediations.ts';
import { plainText } from '../plain-text.ts';
import type { ReportLanguage } from '../report-document.ts';
import type { ReportHead } from '../report-model.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { type Formats, formatsOf } from './formats.ts';
import { type Sentences, terms } from './sentences.ts';

const languages: Record<ReportLanguage, Sentences> = { en, de };

/** Returns the sentences and labels of a language. */
export const sentencesOf = (language: ReportLanguage): Sentences => languages[language];

/** What a report says about its analysis, in its language. All texts are single lines, except `remediation`: Markdown. */
export type AnalysisText = {
  verdict: string;
  /** `change` is empty when there is nothing to compare with. */
  figures: Array<{ label: string; value: string; change: string }>;
  actions: Array<{ title: string; detail: string; remediation: string | null; finding_id: string }>;
  covered: string;
  changes: string;
  coverage: string;
  dueDates: string;
  register: string;
  unmapped: string;
  severityComparison: string;
  glossary: Array<{ term: string; text: string }>;
};

type Analysed = ReportHead & { analysis: ReportAnalysis };

/** Returns whether the report has an analysis: those of earlier versions have none. */
export const isAnalysed = (head: ReportHead): head is Analysed => head.analysis !== null;

const line = (text: string) => plainText(text, { line: true, max: 120 });

/** Writes what a report says about its analysis: a pure function of the snapshot. */
export function describeAnalysis(head: Analysed): AnalysisText {
  const words = sentencesOf(head.document.language);
  const formats = formatsOf(words.locale);
  const { analysis, open } = head;
  const { changes, coverage, register, severity_comparison: compared } = analysis;
  const due = severities.map((severity) => analysis.due_dates.by_severity[severity]);
  const sum = (count: (figures: (typeof due)[number]) => number) => due.reduce((all, one) => all + count(one), 0);
  return {
    verdict: verdict(head, words, formats),
    figures: figures(analysis, words, formats),
    actions: analysis.actions.first.map((action) => describeAction(action, head.document.language, words, formats)),
    covered: covered(head, words, formats),
    changes: words.changes(
      {
        new: changes.new.total,
        fixed: changes.fixed.total,
        reopened: changes.reopened.total,
        accepted: changes.accepted.total,
      },
      formats.day(changes.since),
      formats,
    ),
    coverage: words.coverage(coverage.by_state, coverage.total, formats),
    dueDates: words.dueDates(
      { kept: sum(({ kept }) => kept), missed: sum(({ missed }) => missed), overdue: sum(({ overdue }) => overdue) },
      formats,
    ),
    register: words.register(
      {
        accepted: register.accepted_risk.total,
        falsePositives: register.false_positive.total,
        withoutReason: register.accepted_risk.without_reason + register.false_positive.without_reason,
        shown: register.entries.length,
      },
      formats,
    ),
    unmapped: words.unmapped({ withoutCwe: analysis.mapping.without_cwe, open }, formats),
    severityComparison: words.severityComparison(
      {
        compared: compared.compared,
        agree: compared.agree,
        toolHigher: compared.tool_higher,
        toolLower: compared.tool_lower,
      },
      formats,
    ),
    glossary: terms.map((term) => words.glossary[term]),
  };
}

function verdict(head: Analysed, words: Sentences, formats: Formats): string {
  const { coverage, key_figures: figures, comparison } = head.analysis;
  const { critical, high } = head.open_by_severity;
  const missing = coverage.total - coverage.by_state.current;
  if (head.summary.total === 0 && coverage.by_state.never_scanned === coverage.total)
    return words.verdict.nothingScanned(coverage.total, formats);
  const overdue = figures.overdue.value ?? 0;
  const change = figures.open_critical_high.change;
  return [
    head.open === 0
      ? words.verdict.noneOpen
      : critical + high === 0
        ? words.verdict.noneSevere(head.open, overdue, formats)
        : words.verdict.severe({ critical, high, overdue }, formats),
    ...(comparison?.same_filters && change !== null
      ? [words.verdict.trend(change, formats.day(comparison.taken_at), formats)]
      : []),
    ...(missing > 0 ? [words.verdict.gaps(missing, coverage.total, formats)] : []),
  ].join(' ');
}

const figures = ({ key_figures: keyFigures }: ReportAnalysis, words: Sentences, formats: Formats) =>
  keyFigureNames.map((name) => {
    const { value, change } = keyFigures[name];
    const text = (shown: number) => {
      if (name === 'median_days_to_fix') return words.days(shown, formats);
      return name === 'new_minus_closed' ? formats.signed(shown) : formats.number(shown);
    };
    const changed =
      change === null ? words.noComparison : change === 0 ? words.noChange : words.change(formats.signed(change));
    return { label: words.keyFigures[name], value: value === null ? words.unknown : text(value), change: changed };
  });

function titleOf(action: ReportAction, { actions }: Sentences): string {
  const name = line(action.name);
  if (action.kind === 'upgrade') return actions.upgrade(name, action.package?.version?.replace(/^v(?=\d)/, '') ?? null);
  return action.kind === 'rotate_secret' ? actions.rotateSecret(name, action.findings) : actions.fix(name);
}

function describeAction(action: ReportAction, language: ReportLanguage, words: Sentences, formats: Formats) {
  const { closes, owners, noOwner, due, overdue } = words.actions;
  const detail = [
    closes(action.findings, action.data_source_count, formats),
    action.owners.length === 0
      ? noOwner
      : owners(
          action.owners.map(({ name }) => line(name)),
          formats,
        ),
    ...(action.earliest_due_at === null ? [] : [due(formats.day(action.earliest_due_at))]),
    ...(action.overdue > 0 ? [overdue(action.overdue, formats)] : []),
  ].join('; ');
  const general = language === 'en' || action.cwe === null ? undefined : remediationOf(action.cwe, language);
  return {
    title: titleOf(action, words),
    detail: `${detail[0]!.toUpperCase()}${detail.slice(1)}.`,
    remediation: action.kind === 'upgrade' ? null : (general ?? action.remediation),
    finding_id: action.finding_id,
  };
}

function covered(head: Analysed, words: Sentences, formats: Formats): string {
  const { first, covered: counts } = head.analysis.actions;
  if (first.length === 0) return '';
  return words.actions.covered(
    {
      actions: first.length,
      open: counts.open,
      ofOpen: head.open,
      severe: counts.critical_high,
      ofSevere: head.open_by_severity.critical + head.open_by_severity.high,
    },
    formats,
  );
}
