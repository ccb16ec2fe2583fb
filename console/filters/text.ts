import { type Filters, isListField, isSingleField } from './fields.ts';
import { readChoices, writeChoices } from './filters.ts';

/** Shorter names that people type. */
const aliases: Record<string, string> = {
  sev: 'severity',
  is: 'status',
  repo: 'data_source',
  tool: 'source',
  assigned: 'assignee',
  id: 'identifier',
  cwe: 'identifier',
  cve: 'identifier',
  file: 'path',
  pkg: 'package',
};

const token = /(-?)([a-z_]+):(?:"([^"]*)"|(\S*))|"([^"]*)"|(\S+)/gi;
const quote = (value: string) => (/\s/.test(value) ? `"${value}"` : value);

function add(filters: Filters, name: string, text: string, excluded: boolean): boolean {
  if (isSingleField(name)) {
    filters[name] = text;
    return true;
  }
  if (!isListField(name)) return false;
  const added = readChoices(text).map((choice) => ({ ...choice, excluded: choice.excluded !== excluded }));
  const choices = [...readChoices(filters[name]), ...added];
  if (choices.length > 0) filters[name] = writeChoices(choices);
  return true;
}

/**
 * Reads what was typed: `severity:critical,high -tag:test rule:x me CVE-2026-1 words`. `me` selects what is assigned to
 * the person; text that is not a filter is searched for.
 */
export function parseText(text: string): Filters {
  const filters: Filters = {};
  const words: string[] = [];
  for (const [whole, minus, name, quoted, value, phrase, word] of text.matchAll(token)) {
    if (name !== undefined) {
      const field = aliases[name.toLowerCase()] ?? name.toLowerCase();
      const given = quoted ?? value ?? '';
      if (given !== '' && add(filters, field, given, minus === '-')) continue;
      // A filter that is still being typed is not searched for.
      if (given !== '' || !(isListField(field) || isSingleField(field))) words.push(whole);
    } else if (word === 'me') {
      add(filters, 'assignee', 'me', false);
    } else {
      words.push(phrase ?? word ?? '');
    }
  }
  const q = words.join(' ').trim().slice(0, 200);
  if (q !== '') filters.q = q;
  return filters;
}

/** Writes filters as text; `parseText` reads the same filters back. */
export function writeText(filters: Filters): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(filters)) {
    if (name === 'q' || value === undefined) continue;
    if (!isListField(name)) {
      parts.push(`${name}:${quote(value)}`);
      continue;
    }
    const choices = readChoices(value);
    const included = choices.filter(({ excluded }) => !excluded);
    const excluded = choices.filter((choice) => choice.excluded);
    if (name === 'assignee' && included.length === 1 && included[0]?.value === 'me') parts.push('me');
    else if (included.length > 0) parts.push(`${name}:${quote(writeChoices(included))}`);
    if (excluded.length > 0) parts.push(`-${name}:${quote(excluded.map((choice) => choice.value).join(','))}`);
  }
  if (filters.q) parts.push(filters.q);
  return parts.join(' ');
}
