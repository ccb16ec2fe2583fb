import { isOpen } from '../../../findings/lifecycle.ts';
import { formatDay, formatNumber, resolutionNames, statusNames } from '../../labels.ts';
import type { ReportFinding } from '../../report-model.ts';
import { codeInline, linkInline, type RichInline, textInline } from './rich.ts';

/** A label and its value. */
type Fact = { label: string; inlines: RichInline[] };
/** Two short facts share a line. */
export type FactLine = Fact[];

const maxName = 300;

type Place = ReportFinding['places'][number];

const plain = (text: string): RichInline => ({ kind: 'text', text });
/** Contains a mark that keeps a right-to-left name from reordering the text after it. */
const separator: RichInline = { kind: 'text', text: '\u200E · ' };
const fact = (label: string, ...inlines: RichInline[]): Fact => ({ label, inlines });

/**
 * Returns the facts of a finding: its location, rule, times, assignee and so on. Places beyond `shownPlaces` are only
 * counted.
 */
export function findingFacts(
  finding: ReportFinding,
  sourceNames: Record<string, string>,
  shownPlaces: number,
): FactLine[] {
  const { location, rule, assignee, tags, identifiers } = finding;
  const source = sourceNames[finding.source] ?? finding.source;
  const holder = assignee ? textInline(assignee.name || assignee.email, maxName) : plain('None');
  return [
    ...placeLines(finding, shownPlaces),
    ...(location.url ? [[fact('URL', linkInline(location.url))]] : []),
    ...(location.package ? [[packageFact(location.package)]] : []),
    [fact('Rule', ...ruleInlines(rule))],
    ...(identifiers.length > 0 ? [[fact('Identifiers', textInline(identifiers.join(', '), 500))]] : []),
    ...closedLines(finding),
    ...paired([
      fact('First seen', plain(formatDay(finding.first_seen_at))),
      fact('Last seen', plain(formatDay(finding.last_seen_at))),
      fact('Found by', textInline(source, maxName)),
      fact('Assignee', holder),
      ...(finding.cvss_score === null ? [] : [fact('CVSS', plain(finding.cvss_score.toFixed(1)))]),
      ...(finding.reopened_count > 0 ? [fact('Reopened', plain(times(finding.reopened_count)))] : []),
    ]),
    ...(tags.length > 0 ? [[fact('Tags', textInline(tags.join(', '), 500))]] : []),
  ];
}

/** The number of characters that fit in half a line. */
const shortValue = 28;
const isShort = ({ inlines }: Fact) => inlines.every((inline) => 'text' in inline && inline.text.length <= shortValue);

/** Puts two facts in a line where both are short. */
function paired(facts: Fact[]): FactLine[] {
  const lines: FactLine[] = [];
  for (const next of facts) {
    const last = lines.at(-1);
    if (last?.length === 1 && isShort(last[0]!) && isShort(next)) last.push(next);
    else lines.push([next]);
  }
  return lines;
}

const times = (number: number) => (number === 1 ? 'Once' : `${formatNumber(number)} times`);

function placeLines(finding: ReportFinding, shownPlaces: number): FactLine[] {
  const { places, occurrences, location, data_source: dataSource } = finding;
  const name = textInline(dataSource.name, maxName);
  if (places.length <= 1) {
    const place = location.path ? [separator, ...placeInlines(location)] : [];
    return [[fact('Location', name, ...place)]];
  }
  const shown = places.slice(0, shownPlaces);
  const all = Math.max(occurrences, places.length);
  return [
    [fact('Locations', name, plain(`, in ${formatNumber(all)} places`))],
    ...shown.map((place) => [fact('', ...placeInlines(place))]),
    ...(all > shown.length ? [[fact('', plain(`and ${formatNumber(all - shown.length)} more`))]] : []),
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
  return fact('Package', codeInline(`${name}${found}`, maxName), textInline(` (${ecosystem})${advice}`, maxName));
}

function ruleInlines(rule: ReportFinding['rule']): RichInline[] {
  const name = rule.name || rule.id;
  const named = rule.url ? linkInline(rule.url, name) : textInline(name, maxName);
  return rule.name ? [named, separator, codeInline(rule.id, maxName)] : [named];
}

/** Says how and when a finding was closed, and until when its risk is accepted. */
function closedLines(finding: ReportFinding): FactLine[] {
  const { status, resolution, closed_at: closedAt, accepted_until: until } = finding;
  if (isOpen(status)) return [];
  const on = closedAt ? ` on ${formatDay(closedAt)}` : '';
  const why =
    status === 'resolved' ? (resolution ? `: ${resolutionNames[resolution].toLowerCase()}` : ' by a person') : '';
  const limit = status === 'accepted_risk' ? (until ? `, until ${formatDay(until)}` : ', with no expiry date') : '';
  return [[fact('Closed', plain(`${statusNames[status]}${on}${why}${limit}`))]];
}
