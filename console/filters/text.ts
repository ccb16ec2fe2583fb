import { type Choice, type Filters, readChoices, writeChoices } from './filters.ts';
import { type Field, findField, findValue, type Grammar, keysOf, nearestValue, writeValue } from './grammar.ts';
import { nearest } from './nearest.ts';
import { isRelative, type Operator, type RangeField, readRange, writeBound } from './ranges.ts';
import { inQuotes, quote, readTokens, type Token } from './tokens.ts';

/** A part of the text that selects nothing, and the likely intended one. */
export type Problem = { start: number; end: number; message: string; instead: string | null };

/** The filters and the errors of a typed text. `pending` while names in it are being loaded. */
export type Reading = { filters: Filters; problems: Problem[]; pending: boolean };

type FieldOf<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>;
type FilterToken = Extract<Token, { kind: 'filter' }>;
type Reader = Reading & { grammar: Grammar };

const maxWords = 200;
const yes = ['yes', 'true'];
const no = ['no', 'false'];

function addList(reader: Reader, field: FieldOf<'list'>, { parts, excluded }: FilterToken): void {
  const { grammar, filters, problems } = reader;
  const vocabulary = grammar.vocabularyOf(field);
  const choices = readChoices(filters[field.filter]);
  for (const part of parts) {
    if (part.text === '') continue;
    const value = findValue(part.text, vocabulary);
    if (value === null && vocabulary?.known === 'loading') reader.pending = true;
    if (value !== null || vocabulary?.known !== 'all')
      choices.push({ value: value ?? part.text, excluded: part.excluded !== excluded });
    if (value !== null || !vocabulary || vocabulary.known === 'some' || vocabulary.known === 'loading') continue;
    const near = nearestValue(part.text, vocabulary);
    const instead = near === null ? null : (part.excluded ? '-' : '') + quote(writeValue(field, near, vocabulary));
    const message = `${field.label}: ${vocabulary.known === 'all' ? 'there is no such value' : 'no finding has it'}.`;
    problems.push({ ...placeOf(part), message, instead });
  }
  if (choices.length > 0) filters[field.filter] = writeChoices(choices);
}

const placeOf = ({ start, end }: { start: number; end: number }) => ({ start, end });

function addFlag({ filters, problems }: Reader, field: FieldOf<'flag'>, { parts, excluded }: FilterToken): void {
  const part = parts[0]!;
  const typed = part.text.toLowerCase();
  if (typed === '') return;
  const isYes = yes.includes(typed);
  if (isYes || no.includes(typed)) filters[field.filter] = String(isYes !== excluded);
  else
    problems.push({
      ...placeOf(part),
      message: `${field.label} is yes or no.`,
      instead: nearest(typed, [yes[0]!, no[0]!]),
    });
}

/** Returns the likely intended text: a number without a unit means days. */
const withUnit = ({ kind, name }: RangeField, operator: Operator, text: string): string | null =>
  kind === 'time' && /^\d{1,4}$/.test(text) ? `${name}:${operator || '<'}${text}d` : null;

function addRange(reader: Reader, field: RangeField, bound: 'from' | 'to' | null, token: FilterToken): void {
  const { filters, problems } = reader;
  const part = token.parts[0]!;
  if (part.text === '') return;
  const text = (part.excluded ? '-' : '') + part.text;
  const refuse = (message: string, instead: string | null) => problems.push({ ...placeOf(token), message, instead });
  // A bound under its own name has the API's value: "from:-30d".
  const operator = bound === null ? token.operator : bound === 'from' ? '>' : '<';
  const read = bound !== null && isRelative(text) ? { [bound]: text } : readRange(field, operator, text);
  const known = Object.entries(read ?? {}).flatMap(([name, value]) => {
    const filter = field[name as 'from' | 'to'];
    return filter === undefined ? [] : [[filter, value]];
  });
  if (token.excluded) refuse(`${field.label} can’t be excluded.`, null);
  else if (known.length > 0) Object.assign(filters, Object.fromEntries(known));
  else if (read !== null)
    refuse(
      `${field.label} has no ${operator === '>' ? 'lower' : 'upper'} bound.`,
      `${field.name}:${operator === '>' ? '<' : '>'}${text}`,
    );
  else if (field.kind === 'time')
    refuse('This is not a time, such as <7d or >2026-01-31.', withUnit(field, operator, text));
  else refuse('This is not a number, such as >50.', null);
}

function addFilter(reader: Reader, token: FilterToken, whole: string): void {
  const { fields } = reader.grammar;
  const found = findField(fields, token.key);
  if (!found) {
    const near = nearest(token.key, keysOf(fields));
    const instead = near === null ? inQuotes(whole) : whole.replace(/[a-z_]+/i, near);
    reader.problems.push({ ...placeOf(token), message: 'There is no such filter.', instead });
  } else if (found.field.kind === 'list') addList(reader, found.field, token);
  else if (found.field.kind === 'flag') addFlag(reader, found.field, token);
  else addRange(reader, found.field, found.bound, token);
}

/**
 * Parses a typed text: `severity:critical,high -tag:test due:<7d age:>30d me CVE-2026-1 words`. `me` selects findings
 * assigned to the person. Text that is not a filter is searched for.
 */
export function parseText(text: string, grammar: Grammar): Reading {
  const reader: Reader = { grammar, filters: {}, problems: [], pending: false };
  const words: string[] = [];
  for (const token of readTokens(text)) {
    const whole = text.slice(token.start, token.end);
    if (token.kind === 'filter') addFilter(reader, token, whole);
    else if (whole === 'me') addMe(reader.filters);
    else words.push(token.text);
  }
  const q = words.join(' ').trim().slice(0, maxWords);
  if (q !== '') reader.filters.q = q;
  const { filters, problems, pending } = reader;
  return { filters, problems, pending };
}

const me: Choice = { value: 'me', excluded: false };
const addMe = (filters: Filters) => {
  filters.assignee = writeChoices([...readChoices(filters.assignee), me]);
};

function writeList(field: FieldOf<'list'>, text: string, grammar: Grammar): string[] {
  const vocabulary = grammar.vocabularyOf(field);
  const write = (choices: Choice[]) =>
    choices.map(({ value }) => quote(writeValue(field, value, vocabulary))).join(',');
  const choices = readChoices(text);
  const included = choices.filter(({ excluded }) => !excluded);
  const excluded = choices.filter((choice) => choice.excluded);
  const isMe = field.filter === 'assignee' && included.length === 1 && included[0]!.value === 'me';
  return [
    ...(isMe ? ['me'] : included.length > 0 ? [`${field.name}:${write(included)}`] : []),
    ...(excluded.length > 0 ? [`-${field.name}:${write(excluded)}`] : []),
  ];
}

/** Writes words such that none is parsed as a filter. */
function writeWords(q: string): string {
  const words = readTokens(q).map((token) => (token.kind === 'word' && token.text !== 'me' ? token.text : null));
  return words.join(' ') === q && !q.includes('"') ? q : inQuotes(q);
}

/** Writes filters as text; `parseText` parses it to the same filters. */
export function writeText(filters: Filters, grammar: Grammar): string {
  const parts = Object.entries(filters).flatMap(([name, value]): string[] => {
    const found = name === 'q' || value === undefined ? null : findField(grammar.fields, name);
    if (!found || value === undefined) return [];
    const { field } = found;
    if (field.kind === 'list') return writeList(field, value, grammar);
    if (field.kind === 'flag') return [`${field.name}:${value === 'true' ? yes[0] : no[0]}`];
    const bound = name === field.from ? 'from' : 'to';
    const written = writeBound(field, bound, value);
    return [written === null ? `${name}:${value}` : `${field.name}:${written}`];
  });
  if (filters.q) parts.push(writeWords(filters.q));
  return parts.join(' ');
}
