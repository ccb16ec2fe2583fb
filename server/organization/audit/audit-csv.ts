import { textCell } from '../../platform/csv-cell.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type AuditEventRow, type AuditFilter, type AuditPosition, listAuditEvents } from './audit-queries.ts';
import { auditEventView } from './audit-schema.ts';

type View = ReturnType<typeof auditEventView>;

const jsonCell = (value: object | null) => (value === null ? '' : textCell(JSON.stringify(value)));

/** The columns in order. Names never change; new columns are added at the end. */
const columns: Array<[name: string, cell: (event: View) => string]> = [
  ['sequence', ({ sequence }) => String(sequence)],
  ['id', ({ id }) => id],
  ['occurred_at', (event) => event.occurred_at],
  ['actor_type', ({ actor }) => actor.type],
  ['user_id', ({ actor }) => actor.user?.id ?? ''],
  ['user_name', ({ actor }) => textCell(actor.user?.name ?? '')],
  ['token_id', ({ actor }) => actor.token?.id ?? ''],
  ['token_name', ({ actor }) => textCell(actor.token?.name ?? '')],
  ['address', ({ actor }) => textCell(actor.address ?? '')],
  ['action', ({ action }) => textCell(action)],
  ['target_id', ({ target }) => textCell(target?.id ?? '')],
  ['target_name', ({ target }) => textCell(target?.name ?? '')],
  ['before', ({ before }) => jsonCell(before)],
  ['after', ({ after }) => jsonCell(after)],
  ['details', ({ details }) => jsonCell(details)],
  ['hash', ({ hash }) => hash],
];

const rowOf = (row: AuditEventRow) => {
  const event = auditEventView(row);
  return `${columns.map(([, cell]) => cell(event)).join(',')}\r\n`;
};

/** Rows that are read at once. Each batch is a transaction of its own, so that a slow client holds none. */
const batchSize = 1_000;

/** Writes the selected events, newest first, as CSV by RFC 4180. Events that are added meanwhile are not in it. */
export async function* auditCsv(database: Database, orgId: string, filter: AuditFilter): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(',')}\r\n`;
  let after: AuditPosition | null = null;
  for (;;) {
    const statement = listAuditEvents(orgId, filter, { after, limit: batchSize });
    const rows: AuditEventRow[] = await database.single<AuditEventRow>(orgId, statement);
    if (rows.length > 0) yield rows.map(rowOf).join('');
    if (rows.length < batchSize) return;
    const { moment, sequence } = rows.at(-1)!;
    after = { moment, sequence };
  }
}
