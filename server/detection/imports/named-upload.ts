import { createDataSource, prepareDataSource } from '../../data-sources/create-data-source.ts';
import { keepDataSource, listDataSourcesByName, lockUploadName } from '../../data-sources/queries.ts';
import type { DataSourceServices } from '../../data-sources/services.ts';
import { auditActor } from '../../organization/audit.ts';
import { authorize } from '../../organization/roles.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import type { Db } from '../../platform/postgres/database.ts';

/**
 * Finds the data source of this name: an upload, else one of another kind, such as the repository that a pipeline scans.
 * Without one, throws 403 unless the caller may add it, and returns null. Throws 409 when several have the name.
 */
export async function findUpload(db: Db, actor: Actor, name: string): Promise<string | null> {
  const ids = await listDataSourcesByName(db, actor.orgId, name);
  if (ids.length > 1) {
    const message = `Several data sources are named "${name}": ${ids.join(', ')}. Import into one of them by its id, or rename the others.`;
    throw new ApiError('conflict', message);
  }
  if (ids.length === 0) requireRightToAdd(actor, name);
  return ids[0] ?? null;
}

function requireRightToAdd(actor: Actor, name: string): void {
  try {
    authorize(actor, { role: 'admin', scope: 'sources:write' });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(
      error.code,
      `There is no data source named "${name}" yet, and this import would add it. ${error.message}`,
    );
  }
}

/** Finds the data source of this name, or adds an upload. Of several first uses at a time, one adds it. */
export async function useUpload(tx: Db, actor: Actor, name: string, services: DataSourceServices): Promise<string> {
  await lockUploadName(tx, actor.orgId, name);
  for (let known = await findUpload(tx, actor, name); known !== null; known = await findUpload(tx, actor, name)) {
    // One that was just being deleted is no longer found.
    if (await keepDataSource(tx, actor.orgId, known)) return known;
  }
  const prepared = await prepareDataSource(actor.orgId, { kind: 'upload', name }, services);
  return createDataSource(tx, actor.orgId, prepared, { actor: auditActor(actor), keyring: services.keyring });
}
