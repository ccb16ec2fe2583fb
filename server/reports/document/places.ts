import { isOpen } from '../../findings/lifecycle.ts';
import { count, severityNames, statusNames } from '../labels.ts';
import { plainText } from '../plain-text.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { type Block, code, type Inline, note, paragraph, strong, table, text } from './blocks.ts';
import { linesOf, separator } from './facts.ts';
import { advisoryOf, type Group, type GroupRow, numbersOf } from './groups.ts';

const dayMs = 86_400_000;
/** The number of lines or advisories that a row lists. */
const shownParts = 60;

/** Returns the places of a card: a row for findings in the same file or package with the same owner and state. */
export const placeTable = (group: Group, head: ReportHead): Block =>
  table({
    caption: null,
    description: 'Places of this problem',
    dense: true,
    tight: true,
    columns: [
      { label: 'No.', width: { mm: 22 } },
      { label: 'Place', width: { share: 1 } },
      { label: 'Owner', width: { mm: 21 } },
      { label: 'Status', width: { mm: 18 } },
      { label: 'First seen, age', width: { mm: 29 } },
    ],
    rows: group.rows.map((row) => {
      const { finding } = row[0]!;
      return {
        cells: [
          [text(numbersOf(row))],
          placeInlines(group, row),
          [text(ownerOf(finding, head))],
          [text(statusNames[finding.status])],
          [text(seenOf(finding, head))],
        ],
      };
    }),
  });

/** Returns the few rows of a card as lines. */
export const placeLines = (group: Group, head: ReportHead): Block[] =>
  group.rows.map((row) => {
    const { finding } = row[0]!;
    const owner = ownerOf(finding, head);
    const facts = [
      statusNames[finding.status],
      owner === '–' ? 'no owner' : owner,
      `first seen ${seenOf(finding, head)}`,
    ];
    const number = group.rows.length > 1 ? `${numbersOf(row)}: ` : 'Place: ';
    return paragraph([strong(number), ...placeInlines(group, row), separator, text(facts.join(', '))], 'card');
  });

/** Returns who should act: the assignee, or else the owner of the data source. */
function ownerOf({ assignee, data_source: { id } }: ReportFinding, { analysis }: ReportHead): string {
  const owner = analysis?.coverage.data_sources.find((source) => source.id === id)?.owner;
  const name = assignee ? assignee.name || assignee.email : owner?.name;
  return name ? plainText(name, { line: true, max: 60 }) : '–';
}

/** Returns the day of the first sighting and, of an open finding, its age. */
function seenOf({ status, first_seen_at: seen }: ReportFinding, { taken_at: at }: ReportHead): string {
  const day = seen.slice(0, 10);
  if (!isOpen(status)) return day;
  return `${day}, ${count(Math.max(0, Math.floor((Date.parse(at) - Date.parse(seen)) / dayMs)), 'day')}`;
}

function placeInlines(group: Group, row: GroupRow): Inline[] {
  const { finding } = row[0]!;
  const { location, data_source: dataSource, severity } = finding;
  const place = plainText(location.path ?? location.url ?? '', { line: true, max: 240 });
  // A package of a single advisory has it in its title.
  const hasSeveral =
    group.package !== null && distinct(group.rows.flat().map((member) => advisoryOf(member.finding))).length > 1;
  const lines = location.path && group.package === null ? someOf(distinct(row.map(lineIn))) : '';
  const advisories = hasSeveral ? someOf(distinct(row.map((member) => advisoryOf(member.finding)))) : '';
  const more = row.reduce((sum, member) => sum + member.finding.occurrences - 1, 0);
  return [
    ...(severity === group.severity ? [] : [text(`${severityNames[severity]}: `)]),
    text(plainText(dataSource.name, { line: true, max: 80 })),
    ...(location.package?.version
      ? [text(`, version ${plainText(location.package.version, { line: true, max: 60 })}`)]
      : []),
    ...(place ? [text(', '), code(lines ? `${place}:${lines}` : place)] : []),
    ...(advisories ? [text(': '), note(advisories)] : []),
    ...(more > 0 ? [note(` and ${count(more, 'more place')}`)] : []),
  ];
}

const lineIn = ({ finding: { location } }: GroupRow[number]): string => linesOf(location).slice(1);
const distinct = (values: string[]): string[] => [...new Set(values)].filter((value) => value !== '');

const someOf = (values: string[]): string => {
  const others = values.length - shownParts;
  return values.slice(0, shownParts).join(', ') + (others > 0 ? ` and ${others} more, in the CSV export` : '');
};
