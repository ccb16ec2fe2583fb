import { isOpen } from '../../findings/lifecycle.ts';
import { formatDay, formatNumber, resolutionNames, statusNames } from '../labels.ts';
import { plainText } from '../plain-text.ts';
import type { ReportFinding } from '../report-model.ts';
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

/** Puts two facts in a line where both are short. */
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
export function findingFacts(finding: ReportFinding, sourceNames: Record<string, string>, shownPlaces: number): Fact[] {
  const { location, rule, assignee, tags, identifiers } = finding;
  return [
    ...placeFacts(finding, shownPlaces),
    ...(location.url ? [fact('URL', link(location.url))] : []),
    ...(location.package ? [fact('Package', ...packageInlines(location.package))] : []),
    fact('Rule', ...ruleInlines(rule)),
    ...(identifiers.length > 0 ? [fact('Identifiers', text(identifiers.join(', ')))] : []),
    ...closedFacts(finding),
    short('First seen', text(formatDay(finding.first_seen_at))),
    short('Last seen', text(formatDay(finding.last_seen_at))),
    short('Found by', text(sourceNames[finding.source] ?? finding.source)),
    short('Assignee', text(assignee ? assignee.name || assignee.email : 'None')),
    ...(finding.cvss_score === null ? [] : [short('CVSS', text(finding.cvss_score.toFixed(1)))]),
    ...(finding.due_at === null ? [] : [short('Due', text(formatDay(finding.due_at)))]),
    ...(finding.reopened_count > 0 ? [short('Reopened', text(times(finding.reopened_count)))] : []),
    ...(tags.length > 0 ? [fact('Tags', text(tags.join(', ')))] : []),
  ];
}

const times = (number: number) => (number === 1 ? 'Once' : `${formatNumber(number)} times`);

function placeFacts(finding: ReportFinding, shownPlaces: number): Fact[] {
  const { places, occurrences, location, data_source: dataSource } = finding;
  if (places.length <= 1) {
    const place = location.path ? [separator, ...placeInlines(location)] : [];
    return [fact('Location', text(dataSource.name), ...place)];
  }
  const shown = places.slice(0, shownPlaces);
  const all = Math.max(occurrences, places.length);
  return [
    fact('Locations', inline.text(`${bounded(dataSource.name)}, in ${formatNumber(all)} places`)),
    ...shown.map((place) => fact('', ...placeInlines(place))),
    ...(all > shown.length ? [fact('', text(`and ${formatNumber(all - shown.length)} more`))] : []),
  ];
}

/** Returns `:12` or `:12-14`; an empty string if the line is unknown. */
export const linesOf = ({ start_line: start, end_line: end }: Pick<Place, 'start_line' | 'end_line'>): string =>
  start === null ? '' : end !== null && end > start ? `:${start}-${end}` : `:${start}`;

function placeInlines(place: Place): Inline[] {
  const inlines = [code(`${place.path ?? '(no path)'}${linesOf(place)}`)];
  return place.commit ? [...inlines, inline.text(' in commit '), code(place.commit.slice(0, 12))] : inlines;
}

function packageInlines({
  ecosystem,
  name,
  version,
  fixed_version: fixed,
}: NonNullable<ReportFinding['location']['package']>): Inline[] {
  const found = version ? ` ${version}` : '';
  const advice = fixed ? `; fixed in ${fixed}` : '; no fixed version is known';
  return [code(`${name}${found}`), inline.text(` (${bounded(ecosystem, 40)})${bounded(advice)}`)];
}

function ruleInlines(rule: ReportFinding['rule']): Inline[] {
  const name = rule.name || rule.id;
  const named = rule.url ? link(rule.url, name) : text(name);
  return rule.name && rule.name !== rule.id ? [named, separator, code(rule.id)] : [named];
}

/** Says how and when a finding was closed, and until when its risk is accepted. */
function closedFacts(finding: ReportFinding): Fact[] {
  const { status, resolution, closed_at: closedAt, accepted_until: until } = finding;
  if (isOpen(status)) return [];
  const on = closedAt ? ` on ${formatDay(closedAt)}` : '';
  const why =
    status === 'resolved' ? (resolution ? `: ${resolutionNames[resolution].toLowerCase()}` : ' by a person') : '';
  const limit = status === 'accepted_risk' ? (until ? `, until ${formatDay(until)}` : ', with no expiry date') : '';
  return [fact('Closed', text(`${statusNames[status]}${on}${why}${limit}`))];
}
