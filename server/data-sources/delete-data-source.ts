import { type AuditActor, recordAudit } from '../organization/audit.ts';
import { notFound } from '../platform/errors.ts';
import type { Db } from '../platform/postgres/database.ts';
import { lockDataSource, markDataSourceDeleted } from './queries.ts';

/** A later slice's part in deleting a data source: resolve its findings, stop its scans, remove it from schedules. */
export type DataSourceDeleted = (tx: Db, orgId: string, dataSourceId: string) => Promise<void>;

export type DeleteOptions = {
  actor: AuditActor;
  onDeleted: readonly DataSourceDeleted[];
  /** Called with the locked row's version. Throws 412 if the caller expected another. */
  requireVersion?(version: number): void;
};

/**
 * Deletes a data source and everything that depends on it, in the caller's transaction. Throws 404 if it does not
 * exist.
 */
export async function deleteDataSource(tx: Db, orgId: string, id: string, options: DeleteOptions): Promise<void> {
  const row = await lockDataSource(tx, orgId, id);
  if (row === null) throw notFound('Data source');
  options.requireVersion?.(row.version);
  await markDataSourceDeleted(tx, orgId, id);
  for (const hook of options.onDeleted) await hook(tx, orgId, id);
  const { kind, name, config } = row;
  await recordAudit(tx, orgId, {
    actor: options.actor,
    action: 'data_source.deleted',
    target: { id, name },
    before: { kind, name, config },
  });
}
