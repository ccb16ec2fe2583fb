import { isOpen } from '../../../findings/lifecycle.ts';
import { formatDay, formatNumber, resolutionNames, statusNames } from '../../labels.ts';
import type { ReportFinding } from '../../report-model.ts';
import { codeInline, linkInline, type RichInline, textInline } from './rich.ts';

/** A label with its value, in lines; a wide one takes the whole width. */
export type Fact = { label: string; wide: boolean; lines: RichInline[][] };

const longestName = 300;
/** Places that are shown; the others are counted. */
const shownPlaces = 10;

type Place = ReportFinding['places'][number];

const plain = (text: string): RichInline => ({ kind: 'text', text });
const wide = (label: string, ...lines: RichInline[][]): Fact => ({ label, wide: true, lines });
const short = (label: string, ...inlines: RichInline[]): Fact => ({ label, wide: false, lines: [inlines] });

/** What a finding says besides its texts: where it is, by which rule, since when, in whose hands. */
export function findingFacts(finding: ReportFinding, sourceNames: Record<string, string>): Fact[] {
  const { location, rule, assignee, tags } = finding;
  const facts = [
    wide('Place', ...placeLines(finding)),
    ...(location.url ? [wide('Address', [linkInline(location.url)])] : []),
    ...(location.package ? [packageFact(location.package)] : []),
    wide('Rule', ruleInlines(rule)),
    ...(finding.identifiers.length > 0 ? [wide('Identifiers', [textInline(finding.identifiers.join(', '), 500)])] : []),
    ...closedFacts(finding),
    short('First seen', plain(formatDay(finding.first_seen_at))),
    short('Last seen', plain(formatDay(finding.last_seen_at))),
    short('Source', textInline(sourceNames[finding.source] ?? finding.source, longestName)),
    short('Assignee', assignee ? textInline(assignee.name || assignee.email, longestName) : plain('Nobody')),
    ...(finding.cvss_score === null ? [] : [short('CVSS', plain(finding.cvss_score.toFixed(1)))]),
    ...(finding.reopened_count > 0 ? [short('Came back', plain(times(finding.reopened_count)))] : []),
    ...(tags.length > 0 ? [wide('Tags', [textInline(tags.join(', '), 500)])] : []),
  ];
  return evened(facts);
}

/** A short fact without a neighbour takes the whole line: the next wide one begins a new one. */
function evened(facts: Fact[]): Fact[] {
  let left = true;
  return facts.map((fact, index) => {
    if (fact.wide) return fact;
    const alone = left && (facts[index + 1]?.wide ?? true);
    left = alone ? true : !left;
    return alone ? { ...fact, wide: true } : fact;
  });
}

const times = (number: number) => (number === 1 ? 'Once' : `${formatNumber(number)} times`);

function placeLines(finding: ReportFinding): RichInline[][] {
  const { places, occurrences, location, data_source: dataSource } = finding;
  const name = textInline(dataSource.name, longestName);
  if (places.length <= 1) {
    const place = location.path ? [plain(' · '), ...placeInlines(location)] : [];
    return [[name, ...place]];
  }
  const shown = places.slice(0, shownPlaces);
  const others = Math.max(occurrences, places.length) - shown.length;
  return [
    [name, plain(`, ${formatNumber(Math.max(occurrences, places.length))} places:`)],
    ...shown.map(placeInlines),
    ...(others > 0 ? [[plain(`and ${formatNumber(others)} more`)]] : []),
  ];
}

function placeInlines({ path, start_line: line, end_line: end, commit }: Place): RichInline[] {
  const lines = line === null ? '' : end !== null && end > line ? `:${line}-${end}` : `:${line}`;
  const inlines = [codeInline(`${path ?? '(no path)'}${lines}`, 600)];
  return commit ? [...inlines, plain(' in commit '), codeInline(commit.slice(0, 12))] : inlines;
}

function packageFact({
  ecosystem,
  name,
  version,
  fixed_version: fixed,
}: NonNullable<ReportFinding['location']['package']>): Fact {
  const found = version ? ` ${version}` : '';
  const advice = fixed ? `; fixed in ${fixed}` : '; no fixed version is known';
  return wide('Package', [
    codeInline(`${name}${found}`, longestName),
    textInline(` (${ecosystem})${advice}`, longestName),
  ]);
}

function ruleInlines(rule: ReportFinding['rule']): RichInline[] {
  const name = rule.name || rule.id;
  const named = rule.url ? linkInline(rule.url, name) : textInline(name, longestName);
  return rule.name ? [named, plain(' · '), codeInline(rule.id, longestName)] : [named];
}

/** How and when a closed finding was closed, and until when its risk is accepted. */
function closedFacts(finding: ReportFinding): Fact[] {
  const { status, resolution, closed_at: closedAt, accepted_until: until } = finding;
  if (isOpen(status)) return [];
  const on = closedAt ? ` on ${formatDay(closedAt)}` : '';
  const why =
    status === 'resolved' ? (resolution ? `: ${resolutionNames[resolution].toLowerCase()}` : ' by a person') : '';
  const limit = status === 'accepted_risk' ? (until ? `, until ${formatDay(until)}` : ', without an end') : '';
  return [wide('Closed', [plain(`${statusNames[status]}${on}${why}${limit}`)])];
}
