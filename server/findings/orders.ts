import { severityRank } from '@assay/scanner/contract/severity.ts';
import type { FilteredFinding } from './filtered-finding.ts';
import type { Texts } from './texts.ts';
import { wordsOf } from './words.ts';

/**
 * The columns by which findings are ordered, with their types. None is null: a finding without a due date has
 * `infinity`.
 */
export const columnTypes = {
  severity: 'smallint',
  priority: 'smallint',
  first_seen_at: 'timestamptz',
  updated_at: 'timestamptz',
  due_at: 'timestamptz',
  id: 'text',
} as const;
export type OrderColumn = keyof typeof columnTypes;

/** A finding with times in microseconds, as PostgreSQL writes them; `due_at` is `infinity` if there is none. */
type OrderedFinding = Pick<FilteredFinding, 'id' | 'severity' | 'priority' | 'title' | 'rule' | 'identifiers'> & {
  exact: { first_seen_at: string; updated_at: string; due_at: string };
};

/** An order of the list of findings. */
export type ListOrder = {
  label: Texts;
  /** Ends the sentence "With this order, …" in the description of the parameter. */
  note?: string;
  /** Whether values of its key can change in both directions. */
  mayMove?: true;
  /** The filter without which the order has no meaning. */
  needs?: 'q';
  /**
   * The key of a finding in plain TypeScript, most significant part first. The tests compare the statements with it.
   */
  key(finding: OrderedFinding, q: string): ReadonlyArray<string | number>;
};

/** An order by columns. The last one is the id, so that a cursor, the columns of a page's last finding, is unique. */
export type Order = ListOrder & { columns: readonly OrderColumn[]; descending: boolean };

/** The indexed orders of a list of findings, by API name; `-` means descending. */
export const orders = {
  '-severity': {
    label: { en: 'Most severe first', de: 'Schwerste zuerst' },
    mayMove: true,
    columns: ['severity', 'first_seen_at', 'id'],
    descending: true,
    key: ({ severity, exact, id }) => [severityRank[severity], exact.first_seen_at, id],
  },
  '-priority': {
    label: { en: 'Most urgent first', de: 'Dringendste zuerst' },
    mayMove: true,
    columns: ['priority', 'first_seen_at', 'id'],
    descending: true,
    key: ({ priority, exact, id }) => [priority, exact.first_seen_at, id],
  },
  due_at: {
    label: { en: 'Due first', de: 'Zuerst fällige zuerst' },
    note: 'findings without a due date come last. A finding loses it when it is closed, and gets one when it is reopened.',
    mayMove: true,
    columns: ['due_at', 'id'],
    descending: false,
    key: ({ exact, id }) => [exact.due_at, id],
  },
  '-first_seen_at': {
    label: { en: 'Newest first', de: 'Neueste zuerst' },
    columns: ['first_seen_at', 'id'],
    descending: true,
    key: ({ exact, id }) => [exact.first_seen_at, id],
  },
  first_seen_at: {
    label: { en: 'Oldest first', de: 'Älteste zuerst' },
    columns: ['first_seen_at', 'id'],
    descending: false,
    key: ({ exact, id }) => [exact.first_seen_at, id],
  },
  '-updated_at': {
    label: { en: 'Changed last first', de: 'Zuletzt geänderte zuerst' },
    note: 'a finding that changes while you read moves to the front, which you have already read.',
    columns: ['updated_at', 'id'],
    descending: true,
    key: ({ exact, id }) => [exact.updated_at, id],
  },
  updated_at: {
    label: { en: 'Unchanged for longest first', de: 'Am längsten unveränderte zuerst' },
    note: 'a finding that changes while you read may be returned again, later and in its new state: use this order to miss no change.',
    columns: ['updated_at', 'id'],
    descending: false,
    key: ({ exact, id }) => [exact.updated_at, id],
  },
} as const satisfies Record<string, Order>;
export type Sort = keyof typeof orders;

/** Ranks the newest matches of words: see list-by-relevance.ts. */
const relevance: ListOrder = {
  label: { en: 'Most relevant first', de: 'Relevanteste zuerst' },
  note: 'the newest matches of `q`, at most 500, are ranked: first those with `q` as an identifier or rule, then those with all its words in the title, then the others; of each the most severe first, and of these the newest. Where its words are frequent, the matches are those among the newest 20,000 findings that the other filters select.',
  needs: 'q',
  key: ({ title, rule, identifiers, severity, exact, id }, q) => {
    const isNamed = [rule.id, ...identifiers].some((name) => name.toLowerCase() === q.trim().toLowerCase());
    const inTitle = wordsOf(q).every((word) => wordsOf(title).includes(word));
    return [isNamed ? 2 : inTitle ? 1 : 0, severityRank[severity], exact.first_seen_at, id];
  },
};

/** All orders of a paged list. */
export const listOrders = { ...orders, relevance };
export type ListSort = keyof typeof listOrders;

const namesOf = <Table extends object>(table: Table) => Object.keys(table) as Array<keyof Table>;
export const sorts = namesOf(orders);
export const listSorts = namesOf(listOrders);
export const defaultSort = '-first_seen_at' satisfies Sort;
