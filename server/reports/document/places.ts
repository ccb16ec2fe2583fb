import { isOpen } from '../../findings/lifecycle.ts';
import { plainText } from '../plain-text.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, code, type Inline, note, paragraph, strong, table, text } from './blocks.ts';
import { linesOf, separator } from './facts.ts';
import { advisoryOf, type Group, type GroupRow, runsOf } from './groups.ts';
import { consoleInline, type Targets } from './targets.ts';

const dayMs = 86_400_000;
/** The maximum number of lines or advisories in a row. */
const shownParts = 60;
/** The maximum number of number runs in a row. */
const shownRuns = 6;

/**
 * Returns the places of a card: a row for findings in the same file or package with the same owner and state. After
 * `maxRows` rows, a note says where the others are.
 */
export function placeTable(group: Group, head: ReportHead, targets: Targets, maxRows: number): Block[] {
  const words = wordingOf(head);
  const { say } = words;
  const shown = group.rows.slice(0, maxRows);
  const others = group.rows.slice(shown.length);
  const rest = others.flat();
  const places = table({
    caption: null,
    description: say('place.description'),
    dense: true,
    tight: true,
    columns: [
      { label: say('column.number'), width: { mm: 22 } },
      { label: say('column.place'), width: { share: 1 } },
      { label: say('column.owner'), width: { mm: 20 } },
      { label: say('column.status'), width: { mm: 18 } },
      { label: say('column.first_seen_age'), width: { mm: 31 } },
    ],
    rows: shown.map((row) => {
      const { finding } = row[0]!;
      return {
        cells: [
          numberInlines(row, targets),
          placeInlines(group, row, words),
          [text(ownerOf(finding, head))],
          [text(say(`status.${finding.status}`))],
          [text(seenOf(finding, head))],
        ],
      };
    }),
  });
  if (rest.length === 0) return [places];
  const values = { n: rest.length, places: others.length, id: head.id };
  return [places, paragraph(say('place.rest', values), 'card')];
}

/** Returns the few rows of a card as lines. */
export function placeLines(group: Group, head: ReportHead, targets: Targets): Block[] {
  const words = wordingOf(head);
  const { say } = words;
  return group.rows.map((row) => {
    const { finding } = row[0]!;
    const owner = ownerOf(finding, head);
    const facts = [
      say(`status.${finding.status}`),
      owner === '–' ? say('place.no_owner') : owner,
      say('place.first_seen', { seen: seenOf(finding, head) }),
    ];
    const isNumbered = group.rows.length > 1 || targets.url(finding.id) !== null;
    const number = isNumbered ? [...numberInlines(row, targets), text(': ')] : [strong(say('place.label'))];
    return paragraph([...number, ...placeInlines(group, row, words), separator, text(facts.join(', '))], 'card');
  });
}

/** Returns the numbers of a row, linked to the console: at most `max` runs, then the count of the others. */
export function numberInlines(row: GroupRow, targets: Targets, max = shownRuns): Inline[] {
  const inline = ({ number, finding }: GroupRow[number]) =>
    consoleInline(finding.id, number, targets) ?? strong(number);
  const runs = runsOf(row);
  const shown = runs.slice(0, max);
  const others = row.length - shown.flat().length;
  return [
    ...shown.flatMap((run, index) => [
      ...(index > 0 ? [text(', ')] : []),
      inline(run[0]!),
      ...(run.length > 1 ? [text('–'), inline(run.at(-1)!)] : []),
    ]),
    ...(others > 0 ? [text(` +${others}`)] : []),
  ];
}

/** Returns the person responsible: the assignee, or else the owner of the data source. */
export function ownerOf({ assignee, data_source: { id } }: ReportFinding, { analysis }: ReportHead): string {
  const owner = analysis?.coverage.data_sources.find((source) => source.id === id)?.owner;
  const name = assignee ? assignee.name || assignee.email : owner?.name;
  return name ? plainText(name, { line: true, max: 60 }) : '–';
}

/** Returns the day of the first sighting and, for an open finding, its age. */
function seenOf({ status, first_seen_at: seen }: ReportFinding, head: ReportHead): string {
  const { say, date } = wordingOf(head);
  const day = date(seen);
  if (!isOpen(status)) return day;
  const age = Math.floor((Date.parse(head.taken_at) - Date.parse(seen)) / dayMs);
  return say('place.seen', { day, n: Math.max(0, age) });
}

function placeInlines(group: Group, row: GroupRow, words: Wording): Inline[] {
  const { say } = words;
  const { finding } = row[0]!;
  const { location, data_source: dataSource, severity } = finding;
  const place = plainText(location.path ?? location.url ?? '', { line: true, max: 240 });
  // A package with a single advisory has it in its title.
  const hasSeveral =
    group.package !== null && distinct(group.rows.flat().map((member) => advisoryOf(member.finding))).length > 1;
  const lines = location.path && group.package === null ? someOf(distinct(row.map(lineIn)), words) : '';
  const advisories = hasSeveral ? someOf(distinct(row.map((member) => advisoryOf(member.finding))), words) : '';
  const more = row.reduce((sum, member) => sum + member.finding.occurrences - 1, 0);
  return [
    ...(severity === group.severity ? [] : [text(`${words.severity(severity)}: `)]),
    text(plainText(dataSource.name, { line: true, max: 80 })),
    ...(location.package?.version
      ? [text(say('place.version', { version: plainText(location.package.version, { line: true, max: 60 }) }))]
      : []),
    ...(place ? [text(', '), code(lines ? `${place}:${lines}` : place)] : []),
    ...(advisories ? [text(': '), note(advisories)] : []),
    ...(more > 0 ? [note(say('place.more', { n: more }))] : []),
  ];
}

const lineIn = ({ finding: { location } }: GroupRow[number]): string => linesOf(location).slice(1);
const distinct = (values: string[]): string[] => [...new Set(values)].filter((value) => value !== '');

const someOf = (values: string[], { say }: Wording): string => {
  const others = values.length - shownParts;
  const shown = values.slice(0, shownParts).join(', ');
  return others > 0 ? say('place.in_csv', { shown, n: others }) : shown;
};
