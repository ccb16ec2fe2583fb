import { isOpen } from '../../findings/lifecycle.ts';
import { standardsLine } from '../../findings/standards/standards.ts';
import { plainText } from '../plain-text.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import * as inline from './blocks.ts';
import { type Fact, type Inline, lettersOf } from './blocks.ts';

type Place = ReportFinding['places'][number];

/** Facts stay on one page with their heading, so their values are bounded. */
const maxValue = 300;
const bounded = (value: string, max = maxValue) => plainText(value, { line: true, max });
const text = (value: string) => inline.text(bounded(value));
const code = (value: string) => inline.code(bounded(value));
const link = (url: string, value = url) => inline.link(url, bounded(value));

/** Contains a mark that keeps a right-to-left name from reordering the text after it. */
export const separator: Inline = { kind: 'text', text: '\u200E · ' };
const fact = (label: string, ...inlines: Inline[]): Fact => ({ label, inlines });

/** The number of characters that fit in half a line. */
const shortValue = 28;
const short = (label: string, ...inlines: Inline[]): Fact =>
  lettersOf(inlines).length <= shortValue ? { label, inlines, short: true } : { label, inlines };

/** Puts two short facts on one line. */
export function factLines(facts: Fact[]): Fact[][] {
  const lines: Fact[][] = [];
  for (const next of facts) {
    const last = lines.at(-1);
    if (next.short && last?.length === 1 && last[0]!.short) last.push(next);
    else lines.push([next]);
  }
  return lines;
}

/**
 * Returns the facts of a finding: its location, rule, times, assignee and so on. Places beyond `shownPlaces` are only
 * counted.
 */
export function findingFacts(
  finding: ReportFinding,
  head: Pick<ReportHead, 'document' | 'source_names'>,
  shownPlaces: number,
): Fact[] {
  const words = wordingOf(head);
  const { say, day } = words;
  const { location, rule, assignee, tags, identifiers } = finding;
  return [
    ...placeFacts(finding, shownPlaces, words),
    ...(location.url ? [fact(say('fact.url'), link(location.url))] : []),
    ...(location.package
      ? [fact(say('fact.package'), ...packageInlines(location.package, finding.remediation === null, words))]
      : []),
    fact(say('fact.rule'), ...ruleInlines(rule)),
    ...(identifiers.length > 0 ? [fact(say('fact.identifiers'), text(identifiers.join(', ')))] : []),
    ...(finding.standards.length > 0 ? [fact(say('fact.standards'), text(standardsLine(finding.standards)))] : []),
    ...closedFacts(finding, words),
    ...(finding.scanner_severity
      ? [
          fact(
            say('fact.demoted'),
            text(say('fact.demoted_from', { from: say(`severity.${finding.scanner_severity}`) })),
          ),
        ]
      : []),
    short(say('fact.first_seen'), text(day(finding.first_seen_at))),
    short(say('fact.last_seen'), text(day(finding.last_seen_at))),
    short(say('fact.found_by'), text(head.source_names[finding.source] ?? finding.source)),
    short(say('fact.assignee'), text(assignee ? assignee.name || assignee.email : say('fact.nobody'))),
    ...(finding.confidence ? [short(say('fact.confidence'), text(say(`confidence.${finding.confidence}`)))] : []),
    ...(finding.cvss_score === null ? [] : [short(say('fact.cvss'), text(finding.cvss_score.toFixed(1)))]),
    ...(finding.due_at === null ? [] : [short(say('fact.due'), text(day(finding.due_at)))]),
    ...(finding.reopened_count > 0 ? [short(say('fact.reopened'), text(times(finding.reopened_count, words)))] : []),
    ...(tags.length > 0 ? [fact(say('fact.tags'), text(tags.join(', ')))] : []),
  ];
}

const times = (n: number, { say }: Wording) => (n === 1 ? say('fact.once') : say('fact.times', { n }));

function placeFacts(finding: ReportFinding, shownPlaces: number, words: Wording): Fact[] {
  const { say } = words;
  const { places, occurrences, location, data_source: dataSource } = finding;
  if (places.length <= 1) {
    const place = location.path ? [separator, ...placeInlines(location, words)] : [];
    return [fact(say('fact.location'), text(dataSource.name), ...place)];
  }
  const shown = places.slice(0, shownPlaces);
  const all = Math.max(occurrences, places.length);
  return [
    fact(say('fact.locations'), inline.text(say('fact.in_places', { name: bounded(dataSource.name), n: all }))),
    ...shown.map((place) => fact('', ...placeInlines(place, words))),
    ...(all > shown.length ? [fact('', text(say('fact.and_more', { n: all - shown.length })))] : []),
  ];
}

/** Returns `:12` or `:12-14`; an empty string if the line is unknown. */
export const linesOf = ({ start_line: start, end_line: end }: Pick<Place, 'start_line' | 'end_line'>): string =>
  start === null ? '' : end !== null && end > start ? `:${start}-${end}` : `:${start}`;

function placeInlines(place: Place, { say }: Wording): Inline[] {
  const inlines = [code(`${place.path ?? say('fact.no_path')}${linesOf(place)}`)];
  return place.commit ? [...inlines, inline.text(say('fact.in_commit')), code(place.commit.slice(0, 12))] : inlines;
}

/** Returns whether the ecosystem of a package is missing or unknown. */
export const isUnnamed = (ecosystem: string): boolean => /^(unknown)?$/i.test(ecosystem.trim());

function packageInlines(
  { ecosystem, name, version, fixed_version: fixed }: NonNullable<ReportFinding['location']['package']>,
  /** Whether there is no advice. */
  isWithoutAdvice: boolean,
  { say }: Wording,
): Inline[] {
  const found = version ? ` ${version}` : '';
  const advice = fixed ? say('fact.fixed_in', { version: fixed }) : isWithoutAdvice ? say('fact.not_fixed') : '';
  const kind = isUnnamed(ecosystem) ? '' : ` (${bounded(ecosystem, 40)})`;
  return [code(`${name}${found}`), inline.text(kind + bounded(advice))];
}

function ruleInlines(rule: ReportFinding['rule']): Inline[] {
  const name = rule.name || rule.id;
  const named = rule.url ? link(rule.url, name) : text(name);
  return rule.name && rule.name !== rule.id ? [named, separator, code(rule.id)] : [named];
}

/** Returns how and when a finding was closed, and the end of a risk acceptance. */
function closedFacts(finding: ReportFinding, { say, day }: Wording): Fact[] {
  const { status, resolution, closed_at: closedAt, accepted_until: until } = finding;
  if (isOpen(status)) return [];
  const on = closedAt ? say('fact.closed_on', { day: day(closedAt) }) : '';
  const resolved = resolution ? say('fact.why', { reason: say(`resolution.${resolution}`) }) : say('fact.by_person');
  const accepted = until ? say('fact.until', { day: day(until) }) : say('fact.no_expiry');
  const why = status === 'resolved' ? resolved : status === 'accepted_risk' ? accepted : '';
  return [fact(say('fact.closed'), text(say('fact.closed_as', { status: say(`status.${status}`), on, why })))];
}
