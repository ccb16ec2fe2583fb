import assert from 'node:assert/strict';
import { isOpen } from '../../findings/lifecycle.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';

export const ranks = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof ranks)[number];
type Value = number | string;
/** Removes a sentence's claim from a text after comparing its figures; `whole` includes the names. */
type Claim = (text: string, section: string, whole: string) => string;

const dayMs = 86_400_000;
export const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

/** A percentage that is 0 or 100 only if that is exact. */
function shareOf(part: number, whole: number): string {
  const rounded = whole === 0 ? 0 : Math.round((100 * part) / whole);
  if (rounded === 0 && part > 0) return 'under 1%';
  return `${rounded === 100 && part < whole ? 99 : rounded}%`;
}

/** The findings of a problem: a package, or a rule of a tool. */
export const problemOf = ({ location: { package: found }, source, rule }: ReportFinding) =>
  found ? `${found.ecosystem} ${found.name}` : `${source} ${rule.id}`;

export function problemsOf(findings: ReportFinding[]) {
  const problems = Map.groupBy(findings, problemOf);
  const byNumber = new Map(findings.map((finding) => [finding.number, finding]));
  return { problems, byNumber };
}

/** `N` in a pattern is a figure, `S` a percentage. */
const patternOf = (pattern: string) =>
  new RegExp(pattern.replace(/\bN\b/g, '(\\d[\\d,]*|none(?= now| at))').replace(/\bS\b/g, '((?:under )?\\d+%)'), 'g');

function says(pattern: string, values: Value[] | ((section: string) => Value[]), sections = /./): Claim {
  const expression = patternOf(pattern);
  return (text, section) =>
    sections.test(section)
      ? text.replace(expression, (match, ...found) => {
          const expected = typeof values === 'function' ? values(section) : values;
          const shown = found
            .slice(0, expected.length)
            .map((value: string, index) =>
              typeof expected[index] === 'string' ? value : value === 'none' ? 0 : Number(value.replace(/,/g, '')),
            );
          assert.deepEqual(shown, expected, match);
          return '¤';
        })
      : text;
}

/** Returns the claims of the sentences in the English documents, longest patterns first. */
export function claimsOf(head: ReportHead, findings: ReportFinding[]): Claim[] {
  const { open, open_by_severity: bySeverity, summary, in_period: period, analysis } = head;
  const { actions, coverage, register, mapping, severity_comparison: scores, key_figures: six } = analysis!;
  const roll = analysis!.roll_forward!;
  const severe = bySeverity.critical + bySeverity.high;
  const { total } = summary;
  const [most] = head.top_data_sources;
  const steps = sumOf(head.first_steps.map((step) => step.open));
  const unassigned = head.unassigned_open.critical + head.unassigned_open.high;
  const { total: risks, ending_soon: ending } = head.accepted_risks;
  const registerIn = (section: string) => register[section === 'accepted' ? 'accepted_risk' : 'false_positive'];
  const standardIn = (section: string) =>
    mapping.standards.find(({ id }) => section === `standard_${id.replace(/\W/g, '_')}`)!;
  const severityIn = (section: string) => section.slice('severity_'.length) as Severity;
  const { problems } = problemsOf(findings);
  const severities = [...problems.values()].map(
    (own) => ranks.find((name) => own.some(({ severity }) => severity === name))!,
  );
  const first = head.first_steps[0];
  const figures: Array<[string, number | null]> = [
    ['Open', six.open.value],
    ['Open, critical or high', six.open_critical_high.value],
    ['Overdue', six.overdue.value],
    ['Critical or high, nobody assigned', six.unassigned_critical_high.value],
    ['Median days to fix', six.median_days_to_fix.value],
    ['Accepted risks ending in 30 days', six.accepted_ending_soon.value],
  ];
  const changes = [
    six.open,
    six.open_critical_high,
    six.overdue,
    six.unassigned_critical_high,
    six.median_days_to_fix,
    six.accepted_ending_soon,
  ];
  return [
    ...findingClaims(head, findings),
    ...factClaims(findings),
    says(
      '(?:Critical|High|Medium|Low|Info): N problems?$',
      (section) => [severities.filter((severity) => severity === severityIn(section)).length],
      /^severity_/,
    ),
    says('^(?:Up to 7|7 to 30|30 to 90|90 to 180|180 to 365|More than 365) days ago$', [], /^tables$/),
    actionClaim(head),
    ...registerClaims(head),
    ...chartClaims(head),
    // The names of two figures are part of others.
    ...figures.map(
      ([label, value]): Claim =>
        (text, section, whole) =>
          section === 'summary' && whole === `${label} = ${value === null ? '–' : value.toLocaleString('en-GB')}`
            ? ''
            : text,
    ),
    ...figures.map(
      ([label], index): Claim =>
        (text, section, whole) => {
          const { change } = changes[index]!;
          const which = change! > 0 ? 'more' : 'fewer';
          return section === 'summary' && whole === `${label}: ${Math.abs(change ?? 0)} ${which} than before`
            ? ''
            : text;
        },
    ),
    says('N critical or high findings? (?:is|are) open', [severe]),
    says('N (?:more|fewer) than on', [Math.abs(six.open_critical_high.change ?? 0)]),
    says('N findings? (?:is|are) past the due date', [six.overdue.value!]),
    says('N of them critical and N high', [bySeverity.critical, bySeverity.high]),
    says('N of them (?:critical|high)', [severe]),
    says('N findings? (?:is|are) open, ', [open]),
    says('All N findings are closed', [total]),
    says('N closed findings?; this', [total]),
    says('This report covers N findings? in N data sources?', [total, summary.by_data_source.length]),
    says('This report covers N findings?\\.', [total]),
    says('Of the N open findings, ', [open]),
    says('The N closed findings were', [total - open]),
    says('Of the N closed findings,', [total - open]),
    says(', N findings? (?:was|were) seen for the first time', [period.opened]),
    says('; N of them (?:is|are) still open', [period.opened_still_open]),
    says('In the same period, N findings were closed: N resolved and N marked', [
      ...[period.closed, period.resolved, period.closed - period.resolved],
    ]),
    says('In the same period, N findings? (?:was|were) closed', [period.closed]),
    says('(?:changed|rising|falling): N now, compared with N at', [roll.total.open_now, roll.total.open_then]),
    says('the same as at the start of ¤: N', [roll.total.open_then]),
    says(
      'has the most open findings: N of N \\(S\\)',
      [most?.open ?? 0, open, shareOf(most?.open ?? 0, open)],
      /^summary$/,
    ),
    says('first seen N days? ago', [head.oldest_open[0]?.age_days ?? 0], /^summary$/),
    says('to any of the N open findings of critical', [severe]),
    says('to N of the N open findings of critical', [unassigned, severe]),
    says('N open findings? (?:has|have) come back', [head.reopened]),
    says('all N accepted risks expires within 30', [risks]),
    says('of N of the N accepted risks expires within 30', [ending, risks]),
    says('both accepted risks expires within 30', []),
    says('only accepted risk expires within 30', []),
    says('Start with .+?: N open findings? in N data sources?', [first?.open ?? 0, first?.data_sources ?? 0]),
    says('Start with .+?: N open findings?', [first?.open ?? 0]),
    says('The N most urgent rules account for N of the N open findings \\(S\\)', [
      ...[head.first_steps.length, steps, open, shareOf(steps, open)],
    ]),
    says('N actions? would close N of N open findings? \\(S\\)', [
      ...[actions.total, actions.covered.open, open, shareOf(actions.covered.open, open)],
    ]),
    says('These N of N actions close N of N open findings? \\(S\\)', [
      ...[actions.first.length, actions.total, actions.covered.open, open, shareOf(actions.covered.open, open)],
    ]),
    says('and N of the N critical and high ones \\(S\\)', [
      ...[actions.covered.critical_high, severe, shareOf(actions.covered.critical_high, severe)],
    ]),
    says('All N data sources have complete', [coverage.total]),
    says('N of N data sources? (?:has|have) complete', [coverage.by_state.ok, coverage.total]),
    says('N never scanned', [coverage.by_state.never_scanned]),
    says('N with a failed last scan', [coverage.by_state.failed]),
    says('N with results that are out of date', [coverage.by_state.stale]),
    says('N with an incomplete last scan', [coverage.by_state.partial]),
    says('more than N days? ago', [coverage.stale_after_days], /^coverage$/),
    says('N (?:has|have) no reason', (section) => [registerIn(section).without_reason], /^(accepted|false_positives)$/),
    says('N (?:has|have) no end date', () => [register.accepted_risk.without_end], /^accepted$/),
    says('^N findings?\\.', (section) => [registerIn(section).total], /^(accepted|false_positives)$/),
    says('N of N open findings? (?:has|have) none', [mapping.without_cwe, open], /^mapping$/),
    says('^N open findings? in no category', (section) => [standardIn(section).unmapped], /^standard_/),
    says(
      'N categor(?:y has|ies have) no open findings',
      (section) => [standardIn(section).categories.filter((category) => category.open === 0).length],
      /^standard_/,
    ),
    says('N open findings? also (?:has|have) a CVSS score: for N both agree, for N .+? higher, and for N it is lower', [
      ...[scores.compared, scores.agree, scores.tool_higher, scores.tool_lower],
    ]),
    says('and N others?\\.$', [(head.selection.en[0]?.values.length ?? 0) - 6], /^coverage$/),
    says('and N more$', [(head.selection.en[0]?.values.length ?? 0) - 12], /^cover$/),
    says('at most (?:3|6) of each kind', [], /^changes$/),
    says('^N findings?, N of them open', (section) => [
      ...[summary.by_severity[severityIn(section)], bySeverity[severityIn(section)]],
    ]),
    says('^(?:Critical|High|Medium|Low|Info) \\(N\\)$', (section) => [summary.by_severity[severityIn(section)]]),
    says('The N findings? of this report (?:is|are) shown here as N problems?', [total, problems.size]),
    ...ranks.map((name) => says(`N (?:is |are )?${name}\\b`, [bySeverity[name]], /^summary$/)),
    says(
      'N (?:was |were )?resolved(?=[,.]| and \\d+ (?:marked as(?: a)? false|accepted))',
      [summary.by_status.resolved],
      /^summary$/,
    ),
    says('N (?:was |were )?marked as (?:a )?false positives?(?! or)', [summary.by_status.false_positive], /^summary$/),
    says('N (?:was |were )?accepted as (?:a )?risks?', [risks], /^summary$/),
  ];
}

/** The rows of the table of actions, cell by cell. */
function actionClaim({ analysis }: ReportHead): Claim {
  let row = -1;
  return (text, section) => {
    if (section !== 'actions') return text;
    if (text === String(row + 2)) row += 1;
    const action = analysis!.actions.first[row];
    if (!action) return text;
    const parts = ranks
      .filter((name) => action.by_severity[name] > 0)
      .map((name) => `${action.by_severity[name]} ${name}`);
    const cells = [String(row + 1), `${action.findings}\n${parts.join(', ')}`, `¤\n${action.overdue} overdue`];
    return cells.includes(text)
      ? ''
      : text.replace(`and ${action.data_source_count - action.data_sources.length} other`, '');
  };
}

/** The number of findings decided together, from the register. */
function registerClaims({ analysis }: ReportHead): Claim[] {
  const decisions = Map.groupBy(analysis!.register.entries, (entry) =>
    JSON.stringify([
      ...[entry.status, entry.decided_by?.id, entry.decided_at?.slice(0, 10), entry.reason],
      entry.accepted_until?.slice(0, 10),
    ]),
  );
  const sizes = new Set([...decisions.values()].map(({ length }) => length));
  return [
    (text, section) =>
      /^(accepted|false_positives)$/.test(section)
        ? text.replace(/^(\d+) findings?, decided by /, (_, n: string) => {
            assert.ok(sizes.has(Number(n)), `a decision on ${n} findings`);
            return '';
          })
        : text,
  ];
}

/** The figures of charts, in the order of their descriptions. */
function chartClaims(head: ReportHead): Claim[] {
  const { open, open_by_severity: bySeverity, weekly } = head;
  const severe = bySeverity.critical + bySeverity.high;
  const parts = (figures: Record<Severity, number>) => ranks.map((name) => figures[name]).filter((value) => value > 0);
  const all = (figures: Record<Severity, number>) => sumOf(ranks.map((name) => figures[name]));
  const sources = Object.values(head.open_by_source)
    .filter((value) => value > 0)
    .sort((one, other) => other - one);
  const [opened, closed] = [sumOf(weekly.map((week) => week.opened)), sumOf(weekly.map((week) => week.closed))];
  const old = sumOf(head.age.slice(3).map((age) => all(age.by_severity)));
  const flows = [weekly.length, opened, closed, weekly[0]!.open, weekly.at(-1)!.open];
  const listed = head.top_data_sources;
  const shown = sumOf(listed.map((source) => source.open));
  const expected: Record<string, { caption: Value[]; alternative: number[] }> = {
    severity: {
      caption: severe === 0 ? [] : [severe, open, shareOf(severe, open)],
      alternative: [open, ...ranks.map((name) => bySeverity[name])],
    },
    source: {
      caption: sources.length > 1 && sources[0]! > sources[1]! ? [sources[0]!, open, shareOf(sources[0]!, open)] : [],
      alternative: [open, ...sources],
    },
    age: {
      caption: old === 0 ? [90] : [old, open, shareOf(old, open), 90],
      alternative: [
        open,
        ...head.age.flatMap(({ by_severity: figures, up_to_days: to }, index) => {
          const from = head.age[index - 1]?.up_to_days ?? 0;
          const bounds = to === null ? [from] : index === 0 ? [to] : [from, to];
          return all(figures) === 0 ? bounds : [...bounds, all(figures), ...parts(figures)];
        }),
      ],
    },
    weekly: {
      caption: [opened, closed, weekly.length],
      alternative: [
        ...flows,
        ...weekly
          .filter((week) => week.opened + week.closed > 0)
          .flatMap((week) => [week.opened, week.closed, week.open]),
      ],
    },
    data_sources: {
      caption: shown < open ? [listed.length, shown, open, shareOf(shown, open)] : [],
      alternative: [listed.length, ...listed.flatMap((source) => [source.open, ...parts(source.open_by_severity)])],
    },
  };
  return [
    (text, section) => {
      const own = expected[section.replace(/^chart_/, '')];
      if (!own || !section.startsWith('chart_')) return text;
      const found = text.match(/(?:under )?\d[\d,]*%?/g) ?? [];
      const numbers = found.map((value) => (value.endsWith('%') ? value : Number(value.replace(/,/g, ''))));
      const isCaption = !/^(Bar|Column) chart/.test(text);
      assert.deepEqual(numbers, isCaption ? own.caption : own.alternative, text);
      return '';
    },
  ];
}

/** Checks the sentences on single findings and on problems, which follow the number of a finding. */
function findingClaims(head: ReportHead, findings: ReportFinding[]): Claim[] {
  const { problems, byNumber } = problemsOf(findings);
  const at = Date.parse(head.taken_at);
  const dataSources = new Map(head.analysis!.coverage.data_sources.map((source) => [source.id, source.owner?.name]));
  const numbers = new Set([...byNumber.keys(), ...Object.values(head.finding_numbers)]);
  let [finding, own]: [ReportFinding | undefined, ReportFinding[]] = [undefined, []];
  const distinct = (valuesOf: (of: ReportFinding) => unknown[]) => new Set(own.flatMap(valuesOf)).size;
  const opened = () => own.filter(({ status }) => isOpen(status)).length;
  const rowOf = ({ location, data_source: { id }, severity, status, assignee, first_seen_at: seen }: ReportFinding) =>
    [
      severity,
      status,
      id,
      location.path ?? location.url,
      location.package?.version,
      assignee?.id,
      seen.slice(0, 10),
    ].join();
  const ofProblem: Array<[string, () => number[]]> = [
    [': N known vulnerabilit(?:y|ies)', () => [distinct(({ rule }) => [rule.id])]],
    ['\\(N days?\\)', () => [Math.floor((at - Date.parse(finding!.first_seen_at)) / dayMs)]],
    ['first seen on ¤, N days? ago', () => [Math.floor((at - Date.parse(finding!.first_seen_at)) / dayMs)]],
    ['N places?$', () => [distinct((one) => [rowOf(one)])]],
    ['N owners?$', () => [distinct((one) => [one.assignee?.name ?? dataSources.get(one.data_source.id)])]],
    ['N data sources?', () => [distinct((one) => [one.data_source.id])]],
    ['N of N open$', () => [opened(), own.length]],
    [
      'For N findings?, no fixed version is known',
      () => [
        (opened() > 0 ? own.filter(({ status }) => isOpen(status)) : own).filter(
          (one) => !one.location.package?.fixed_version,
        ).length,
      ],
    ],
  ];
  return [
    (text, section) => {
      const [named] = text.match(/F-\d+/) ?? [];
      if (named) {
        finding = byNumber.get(named);
        own = (finding && problems.get(problemOf(finding))) ?? [];
      }
      if (!/^(card_|findings|index|short|oldest)/.test(section)) return text;
      const scores = own.flatMap(({ cvss_score: score }) => score ?? []);
      const rest = text.replace(/CVSS (\d+\.\d)/g, (match, score: string) => {
        assert.equal(Number(score), Math.max(...scores), match);
        return '¤';
      });
      return ofProblem.reduce((left, [pattern, values]) => says(pattern, values)(left, section, text), rest);
    },
    (text) =>
      text.replace(
        /F-(\d+)(?:–F-(\d+))?(?: \+(\d+))?/g,
        (match, from: string, to: string | undefined, others: string | undefined) => {
          const last = Number(to ?? from);
          for (let number = Number(from); number <= last; number++) assert.ok(numbers.has(`F-${number}`), match);
          if (others !== undefined) assert.equal(last - Number(from) + 1 + Number(others), own.length, match);
          return '¤';
        },
      ),
  ];
}

/** The facts of a finding in the technical document. */
function factClaims(findings: ReportFinding[]): Claim[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const fact =
    (label: string, count: (finding: ReportFinding) => number): Claim =>
    (text, section) => {
      const finding = byId.get(section);
      return finding ? says(`^${label} = (\\d[\\d.]*)(?: times)?$`, [count(finding)])(text, section, text) : text;
    };
  return [fact('CVSS', ({ cvss_score: score }) => score!), fact('Reopened', ({ reopened_count: times }) => times)];
}
