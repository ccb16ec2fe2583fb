import type pg from 'pg';
import { type Sort, sorts } from '../server/findings/orders.ts';

/** A list request: query parameters as the API accepts them. */
export type Question = { name: string; filters: Record<string, string>; sort: Sort };

const dayMs = 86_400_000;
const daysAgo = (days: number) => `${new Date(Date.now() - days * dayMs).toISOString().slice(0, 19)}Z`;

async function byFrequency(client: pg.Client, orgId: string, column: string, table = 'findings'): Promise<string[]> {
  const { rows } = await client.query<{ value: string }>(
    `SELECT ${column} AS value FROM ${table} WHERE org_id = $1 AND ${column} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1`,
    [orgId],
  );
  return rows.map((row) => row.value);
}

/** Each filter with a common and a rare value. */
export async function valuesOf(client: pg.Client, orgId: string): Promise<Record<string, [string, string]>> {
  const dataSources = await byFrequency(client, orgId, 'data_source_id');
  const rules = await byFrequency(client, orgId, 'rule_id');
  const tags = await byFrequency(client, orgId, 'tag', '(SELECT org_id, unnest(tags) AS tag FROM findings) tagged');
  const assignees = await byFrequency(client, orgId, 'assignee_id');
  return {
    severity: ['medium', 'critical'],
    source: ['dependencies', 'secrets'],
    status: ['new', 'accepted_risk'],
    data_source: [dataSources[0]!, dataSources[120]!],
    from: [daysAgo(500), daysAgo(3)],
    to: [daysAgo(30), daysAgo(1000)],
    tag: [tags[0]!, tags.at(-1)!],
    assignee: ['none', assignees.at(-1)!],
    rule: [rules[0]!, rules[100]!],
    q: ['credential', 'file123'],
    updated_from: [daysAgo(300), daysAgo(3)],
  };
}

/** All pairs of filters, each common and rare, in all orders. */
export async function listQuestions(client: pg.Client, orgId: string): Promise<Question[]> {
  const values = await valuesOf(client, orgId);
  const names = Object.keys(values);
  const questions: Question[] = [];
  for (const [index, one] of names.entries()) {
    for (const other of names.slice(index + 1)) {
      for (const [a, b] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ] as const) {
        const filters = { [one]: values[one]![a], [other]: values[other]![b] };
        if (filters.from && filters.to && filters.from > filters.to) continue;
        const kind = (rare: number) => (rare ? 'rare' : 'common');
        for (const sort of sorts) questions.push({ name: `${kind(a)} ${one}, ${kind(b)} ${other}`, filters, sort });
      }
    }
  }
  return questions;
}

/**
 * Words that only occur in remediation, and words that never occur, combined with each other filter with a common
 * value, in all orders.
 */
export async function wordQuestions(client: pg.Client, orgId: string): Promise<Question[]> {
  const { q: _, ...values } = await valuesOf(client, orgId);
  const words = { 'A word of remediation': 'chapter7', 'A word that occurs nowhere': 'zyzzyva' };
  return Object.entries(words).flatMap(([name, q]) =>
    Object.entries(values).flatMap(([filter, [common]]) =>
      sorts.map((sort) => ({ name, filters: { [filter]: common, q }, sort })),
    ),
  );
}
