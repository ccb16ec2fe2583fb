import { severities } from '@assay/scanner/contract/severity.ts';
import { isOpen, type Status } from '../../findings/lifecycle.ts';
import { fittedText } from '../charts/text-width.ts';
import { plainText } from '../plain-text.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { adviceFor } from './advice.ts';
import { type Block, code, heading, type Inline, lettersOf, note, paragraph, type Row, table, text } from './blocks.ts';
import { titleOf } from './card.ts';
import type { Choice } from './choose-cards.ts';
import { linesOf } from './facts.ts';
import { findingsOf, type Group } from './groups.ts';
import { numberInlines, ownerOf } from './places.ts';
import type { Targets } from './targets.ts';
import { lineOf } from './texts.ts';

/** The widths of columns in millimeters. The problem column takes the rest of the 176 mm of A4. */
const widths = { number: 24, place: 46, owner: 26 };
const problemWidth = 176 - widths.number - widths.place - widths.owner;
const fontSize = 7;
/** The text width of a column in points, without padding. */
const lineWidth = (millimetres: number) => (millimetres * 72) / 25.4 - 6;
/** The number of letters of a path in a line of its column. */
const maxPath = Math.floor(lineWidth(widths.place) / (0.9 * fontSize * 0.61));
/** A section with this many rows starts a page, so that Typst lays it out in parallel. */
const manyRows = 50;
/** Longer advice is never shown here. */
const maxAdvice = 300;

/** Returns the problems without a card as rows, by severity. Together with the index, they cover all problems. */
export function shortBlocks({ short, lines }: Choice, head: ReportHead, targets: Targets): Block[] {
  if (short.length === 0) return [];
  const words = wordingOf(head);
  const { say, severity: nameOf } = words;
  const inFull = short.length - Math.min(lines, short.length);
  const values = { problems: short.length, n: short.reduce((sum, { rows }) => sum + rows.flat().length, 0) };
  const console = targets.url(short[0]!.rows[0]![0]!.finding.id) === null ? [] : [say('short.console')];
  const places = words.list([...console, say('short.technical'), say('short.csv', { id: head.id })]);
  const rest = inFull < short.length ? say('short.lines', { n: short.length - inFull }) : '';
  return [
    heading(2, 'short', say('heading.short'), { newPage: short.length >= manyRows }),
    paragraph(say('short.introduction', { ...values, places }) + rest),
    ...severities.flatMap((severity) => {
      const own = short.flatMap((group, index) => (group.severity === severity ? [{ group, index }] : []));
      if (own.length === 0) return [];
      return [
        table({
          caption: say('short.caption', { severity: nameOf(severity) }),
          description: say('short.description', { severity: nameOf(severity) }),
          dense: true,
          tight: true,
          columns: [
            { label: say('column.number'), width: { mm: widths.number } },
            { label: say('column.problem_advice'), width: { share: 1 } },
            { label: say('column.place'), width: { mm: widths.place } },
            { label: say('column.owner_status'), width: { mm: widths.owner } },
          ],
          rows: own.map(({ group, index }) => shortRow(group, index < inFull, head, targets)),
        }),
      ];
    }),
  ];
}

function shortRow(group: Group, isFull: boolean, head: ReportHead, targets: Targets): Row {
  const words = wordingOf(head);
  const fit = (value: string, width: number) => text(fittedText(value, fontSize, lineWidth(width)));
  const advice = fittedText(adviceIn(group, head), fontSize * 0.85, lineWidth(problemWidth));
  const [dataSource, path] = placeOf(group, words);
  const [owner, status] = stateOf(group, head);
  const first = [titleOf(group, words), dataSource, owner ?? status] as const;
  const second: Array<Inline | null> = [
    advice ? note(advice) : null,
    path,
    owner === null ? null : fit(status, widths.owner),
  ];
  const lines = isFull && second.some((inline) => inline !== null) ? 2 : 1;
  const cell = (index: 0 | 1 | 2, width: number) => {
    const below = lines === 2 ? second[index]! : null;
    return [fit(first[index], width), ...(below ? [text('\n'), below] : [])];
  };
  return {
    lines,
    cells: [
      numberInlines(group.rows.flat(), targets, 1),
      cell(0, problemWidth),
      isFull || path === null ? cell(1, widths.place) : [path],
      isFull ? cell(2, widths.owner) : [fit(status, widths.owner)],
    ],
  };
}

/** Returns the start of the advice, in one line. */
const adviceIn = (group: Group, head: ReportHead): string =>
  plainText(lettersOf(adviceFor(group, head, maxAdvice)), { line: true });

/** Returns the data source and the path, or their numbers. */
function placeOf({ rows }: Group, { say }: Wording): [string, Inline | null] {
  const sources = [...new Set(rows.map((row) => row[0]!.finding.data_source.name))];
  const source = sources.length === 1 ? lineOf(sources[0]!, 80) : say('short.data_sources', { n: sources.length });
  if (rows.length > 1) return [source, text(say('short.places', { n: rows.length }))];
  const { location } = rows[0]![0]!.finding;
  const path = plainText(location.path ?? location.url ?? '', { line: true });
  if (path === '') return [source, null];
  return [source, code(endOf(`${path}${location.path && rows[0]!.length === 1 ? linesOf(location) : ''}`))];
}

/** Returns the end of a path, which says more than its start. */
function endOf(path: string): string {
  const letters = [...path];
  let start = letters.length;
  for (let room = maxPath; start > 0; start--) {
    // Letters of other scripts may be nearly twice as wide.
    room -= letters[start - 1]!.charCodeAt(0) < 128 ? 1 : 1.8;
    if (room < (start > 1 ? 1 : 0)) break;
  }
  return start === 0 ? path : `…${letters.slice(start).join('')}`;
}

/** Returns the owner, if there is one, and the status, or their numbers. */
function stateOf(group: Group, head: ReportHead): [string | null, string] {
  const { say } = wordingOf(head);
  const findings = findingsOf(group);
  const owners = [...new Set(findings.map((finding) => ownerOf(finding, head)))];
  const statuses = [...new Set(findings.map(({ status }) => status))];
  const open = findings.filter(({ status }) => isOpen(status)).length;
  const shortStatus = (status: Status) => say(status === 'accepted_risk' ? 'short.accepted_risk' : `status.${status}`);
  return [
    owners.length > 1 ? say('short.owners', { n: owners.length }) : owners[0] === '–' ? null : owners[0]!,
    statuses.length === 1 ? shortStatus(statuses[0]!) : say('short.open', { open, n: findings.length }),
  ];
}
