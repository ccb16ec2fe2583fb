import { formatMoment, formatNumber, kindName } from '../../labels.ts';
import { plainText } from '../../plain-text.ts';
import type { ReportFinding } from '../../report-model.ts';
import { closing } from './closing.ts';
import { codeParagraph, paragraph } from './paragraph.ts';
import { linesOf, placeOf } from './place.ts';
import type { References } from './references.ts';
import { isRightToLeft, run } from './run.ts';
import { type Cell, cell, table } from './table.ts';
import type { Xml } from './xml.ts';

const shownPlaces = 10;
const line = (text: string, max = 1_000) => plainText(text, { line: true, max });

/** Where, what and whose a finding is, as a table. `wholeTitle` is there if the heading shortens it. */
export function findingFacts(finding: ReportFinding, references: References, wholeTitle: string | null): Xml {
  const { location, rule, assignee } = finding;
  const facts: Array<[string, Cell | null]> = [
    ['Title', wholeTitle === null ? null : cell(wholeTitle)],
    ['Finding', code(finding.id)],
    ['Data source', cell(`${line(finding.data_source.name, 200)} (${kindName(finding.data_source.kind)})`)],
    ['Place', code(placeOf(location))],
    ['Commit', location.commit ? code(line(location.commit, 100)) : null],
    ['Address', location.url ? linked(location.url, references) : null],
    ['Package', packageCell(location.package)],
    ['Rule', ruleCell(rule, references)],
    [
      'Identifiers',
      finding.identifiers.length > 0 ? cell(finding.identifiers.map((id) => line(id, 100)).join(', ')) : null,
    ],
    ['CVSS score', finding.cvss_score === null ? null : cell(finding.cvss_score.toFixed(1))],
    ['First seen', cell(formatMoment(finding.first_seen_at))],
    ['Last seen', cell(formatMoment(finding.last_seen_at))],
    ['Closed', finding.closed_at === null ? null : cell(closing(finding))],
    ['Reopened', finding.reopened_count > 0 ? cell(times(finding.reopened_count)) : null],
    ['Assignee', cell(assignee ? `${line(assignee.name, 200)} (${line(assignee.email, 300)})` : 'Nobody')],
    ['Tags', finding.tags.length > 0 ? cell(finding.tags.map((tag) => line(tag, 100)).join(', ')) : null],
    ['Occurrences', occurrences(finding)],
  ];
  return table({
    style: 'Facts',
    widths: [1_500, 8_100],
    rowHeaders: true,
    description: 'Facts of the finding',
    rows: facts.flatMap(([label, value]) => (value ? [[cell(label), value]] : [])),
  });
}

const times = (value: number) => (value === 1 ? 'Once' : `${formatNumber(value)} times`);
const code = (text: string): Cell => ({ content: codeParagraph('TableCode', text || '–') });

const linked = (address: string, references: References): Cell => ({
  content: paragraph('TableText', references.address(line(address, 2_000))),
});

function ruleCell(rule: ReportFinding['rule'], references: References): Cell {
  const name = line(rule.name || rule.id, 300);
  const runs = rule.url ? references.webLink(rule.url, run(name, { style: 'Hyperlink' })) : run(name);
  const id = rule.name && rule.name !== rule.id ? run(` (${line(rule.id, 300)})`) : '';
  return { content: paragraph('TableText', runs + id, { rightToLeft: isRightToLeft(name) }) };
}

function packageCell(found: ReportFinding['location']['package']): Cell | null {
  if (!found) return null;
  const version = found.version ? ` ${found.version}` : '';
  const fixed = found.fixed_version ? `; fixed in ${found.fixed_version}` : '';
  return cell(line(`${found.name}${version} (${found.ecosystem})${fixed}`));
}

/** How often it stands there, and the first of its places; one that stands in a single place has its place already. */
function occurrences({ occurrences: number, places }: ReportFinding): Cell {
  if (number === 1 || places.length === 0) return cell(formatNumber(number));
  const shown = places.slice(0, shownPlaces).map((place) => line(`${place.path ?? ''}${linesOf(place)}`, 500) || '–');
  const others = number - shown.length;
  const more = others > 0 ? cell(`and ${formatNumber(others)} more`).content : '';
  return {
    content:
      cell(others > 0 ? `${formatNumber(number)}, among them` : formatNumber(number)).content +
      code(shown.join('\n')).content +
      more,
  };
}
