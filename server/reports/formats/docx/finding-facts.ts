import { formatMoment, formatNumber, kindName } from '../../labels.ts';
import { plainText } from '../../plain-text.ts';
import type { ReportFinding } from '../../report-model.ts';
import { closing } from './closing.ts';
import { codeParagraph, paragraph } from './paragraph.ts';
import { placeOf } from './place.ts';
import { linkLook, type References } from './references.ts';
import { isRightToLeft, run } from './run.ts';
import { type Cell, cell, table } from './table.ts';
import type { Xml } from './xml.ts';

const line = (text: string, max = 1_000) => plainText(text, { line: true, max });

/** A label and its value; two short facts share a row. */
type Fact = { label: string; value: Cell; short: boolean };

const wide = (label: string, value: Cell): Fact => ({ label, value, short: false });
const short = (label: string, text: string): Fact => ({ label, value: cell(text), short: true });

/** Returns the facts of a finding as a table. */
export function findingFacts(finding: ReportFinding, references: References, sourceName: string): Xml {
  const { data_source: dataSource, assignee } = finding;
  const facts = [
    short('Data source', `${line(dataSource.name, 200)} (${kindName(dataSource.kind)})`),
    short('Source', line(sourceName, 200)),
    ...placeFacts(finding, references),
    wide('Rule', ruleCell(finding.rule, references)),
    ...knownFacts(finding),
    ...(finding.closed_at === null ? [] : [wide('Closed', cell(closing(finding)))]),
    short('First seen', formatMoment(finding.first_seen_at)),
    short('Last seen', formatMoment(finding.last_seen_at)),
    short('Assignee', assignee ? `${line(assignee.name, 200)} (${line(assignee.email, 300)})` : 'None'),
    ...(finding.reopened_count > 0 ? [short('Reopened', times(finding.reopened_count))] : []),
    ...(finding.tags.length > 0 ? [short('Tags', joined(finding.tags))] : []),
    short('Occurrences', formatNumber(finding.occurrences)),
  ];
  return table({
    style: 'Facts',
    widths: [1_300, 3_700, 1_200, 3_400],
    rowHeaders: true,
    description: 'Details of the finding',
    rows: inRows(facts),
  });
}

function inRows(facts: Fact[]): Cell[][] {
  const rows: Cell[][] = [];
  for (let index = 0; index < facts.length; index++) {
    const [fact, next] = [facts[index]!, facts[index + 1]];
    const row = [cell(fact.label, 'FactLabel')];
    if (fact.short && next?.short) {
      row.push(fact.value, cell(next.label, 'FactLabel'), next.value);
      index++;
    } else row.push({ ...fact.value, span: 3 });
    rows.push(row);
  }
  return rows;
}

function placeFacts({ location }: ReportFinding, references: References): Fact[] {
  return [
    wide('Location', code(placeOf(location))),
    ...(location.commit ? [wide('Commit', code(line(location.commit, 100)))] : []),
    ...(location.url ? [wide('URL', linked(location.url, references))] : []),
    ...(location.package ? [wide('Package', packageCell(location.package))] : []),
  ];
}

/** Returns the identifiers and the CVSS score, which share a row if both exist. */
function knownFacts({ identifiers, cvss_score: score }: ReportFinding): Fact[] {
  const facts = [
    ...(identifiers.length > 0 ? [short('Identifiers', joined(identifiers))] : []),
    ...(score === null ? [] : [short('CVSS score', score.toFixed(1))]),
  ];
  return facts.length === 2 ? facts : facts.map((fact) => ({ ...fact, short: false }));
}

const joined = (texts: string[]) => texts.map((text) => line(text, 100)).join(', ');
const times = (value: number) => (value === 1 ? 'Once' : `${formatNumber(value)} times`);
const code = (text: string): Cell => ({ content: codeParagraph('TableCode', text || '–') });

const linked = (address: string, references: References): Cell => ({
  content: paragraph('TableText', references.address(line(address, 2_000))),
});

function ruleCell(rule: ReportFinding['rule'], references: References): Cell {
  const name = line(rule.name || rule.id, 300);
  const runs = rule.url ? references.webLink(rule.url, run(name, linkLook)) : run(name);
  const id = rule.name && rule.name !== rule.id ? run(` (${line(rule.id, 300)})`) : '';
  return { content: paragraph('TableText', runs + id, { rightToLeft: isRightToLeft(name) }) };
}

function packageCell(found: NonNullable<ReportFinding['location']['package']>): Cell {
  const version = found.version ? ` ${found.version}` : '';
  const fixed = found.fixed_version ? `; fixed in ${found.fixed_version}` : '';
  return cell(line(`${found.name}${version} (${found.ecosystem})${fixed}`));
}
