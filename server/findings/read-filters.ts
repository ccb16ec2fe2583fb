import Type, { type Static } from 'typebox';
import { type ApiError, invalid } from '../platform/errors.ts';
import { listOf, timeInput } from '../platform/http/schema.ts';
import type { Database, Db, Statement } from '../platform/postgres/database.ts';
import { readTime, timeExpectation } from '../platform/times.ts';
import type { FindingFilters } from './filters.ts';
import { Severity, Status } from './finding-schema.ts';
import { findAssignee } from './queries.ts';

const name = Type.String({ minLength: 1, maxLength: 500 });
const timeText = (description: string) => Type.Optional(timeInput(description));

/** The filters of `GET /findings`, as query parameters or as the members of a `filter` object. */
export const filterProperties = {
  severity: Type.Optional(listOf(Severity, { description: 'Any of these severities.' })),
  source: Type.Optional(listOf(name, { description: 'Any of these detection source types.' })),
  status: Type.Optional(listOf(Status, { description: 'Any of these statuses.' })),
  data_source: Type.Optional(listOf(name, { description: 'In any of these data sources (ids).' })),
  from: timeText('First seen at or after this time.'),
  to: timeText('First seen at or before this time, to the second.'),
  tag: Type.Optional(
    listOf(Type.String({ minLength: 1, maxLength: 64, pattern: '^[^,]*$' }), {
      description: 'With any of these tags.',
    }),
  ),
  assignee: Type.Optional(
    listOf(Type.String({ minLength: 1, maxLength: 320 }), {
      description: 'Assigned to any of these: an id, an e-mail address, `me`, or `none`.',
    }),
  ),
  rule: Type.Optional(listOf(name, { description: 'Of any of these rules (ids).' })),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Words that must all occur in title, path, rule or identifiers.',
    }),
  ),
  updated_from: timeText('Changed at or after this time. With `sort=updated_at`, the way to follow all changes.'),
};

const filterSchema = Type.Object(filterProperties);
export type FilterInput = Static<typeof filterSchema>;

/** Makes the error for an invalid filter, which names where the filter was given. */
type Refuse = (field: string, message: string) => ApiError;
const refuseParameter: Refuse = (field, message) => invalid('query', field, message);

function timeOf(field: 'from' | 'to' | 'updated_from', text: string | undefined, refuse: Refuse): Date | undefined {
  if (text === undefined) return undefined;
  const time = readTime(text);
  if (time === null) throw refuse(field, timeExpectation);
  return time;
}

/**
 * Reads the filters of a request. Throws the error that `refuse` makes, a 400 that names the parameter. E-mail
 * addresses of assignees become ids; an address of no member selects nothing.
 */
export async function readFilters(
  db: Db,
  actor: { orgId: string; userId: string | null },
  input: FilterInput,
  refuse = refuseParameter,
): Promise<FindingFilters> {
  const from = timeOf('from', input.from, refuse);
  const to = timeOf('to', input.to, refuse);
  if (from && to && from > to) throw refuse('from', 'must not be after `to`');
  return {
    severity: input.severity,
    source: input.source,
    status: input.status,
    dataSource: input.data_source,
    tag: input.tag?.map((tag) => tag.trim().normalize('NFC')),
    rule: input.rule,
    q: input.q,
    from,
    to,
    updatedFrom: timeOf('updated_from', input.updated_from, refuse),
    assignee: input.assignee && (await Promise.all(input.assignee.map((text) => readAssignee(db, actor, text)))),
  };
}

async function readAssignee(
  db: Db,
  actor: { orgId: string; userId: string | null },
  assignee: string,
): Promise<string> {
  if (assignee === 'me') return actor.userId ?? 'me';
  if (assignee === 'none' || !assignee.includes('@')) return assignee;
  return (await findAssignee(db, actor.orgId, assignee)) ?? assignee;
}

/** Runs each statement as a transaction of its own in one round trip, for readers that need only one. */
export const singleStatements = (database: Database, orgId: string): Db => ({
  query: async <Row extends object>(statement: Statement) => {
    const rows = await database.single<Row>(orgId, statement);
    return { rows, rowCount: rows.length };
  },
});
