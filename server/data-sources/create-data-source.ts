import { type AuditActor, recordAudit } from '../organization/audit.ts';
import { ApiError, invalid } from '../platform/errors.ts';
import { newId } from '../platform/id.ts';
import type { Db } from '../platform/postgres/database.ts';
import type { Keyring } from '../platform/sealed.ts';
import { type GitCredential, requireFittingCredential, sealCredential } from './credential.ts';
import { readGitAddress } from './git-address.ts';
import { auditedImportance, defaultImportance, type ImportanceInput, readImportance } from './importance.ts';
import { type DataSourceKind, kindNames } from './kind.ts';
import { findDataSourceByAddress, insertDataSource } from './queries.ts';
import { type GivenConfig, readTarget, type TargetRules } from './read-target.ts';
import type { Target } from './target.ts';

export type NewDataSource = {
  kind: DataSourceKind;
  name?: string;
  config?: GivenConfig & { credential?: GitCredential | null };
} & ImportanceInput;
export type PreparedDataSource = {
  kind: DataSourceKind;
  name: string;
  target: Target;
  credential: GitCredential | null;
  importance: ImportanceInput;
};

/**
 * Checks everything that needs no transaction. Call it before the transaction, since it resolves names by DNS. Throws a
 * 400 that names the field.
 */
export async function prepareDataSource(
  orgId: string,
  given: NewDataSource,
  rules: TargetRules,
): Promise<PreparedDataSource> {
  const { credential = null, ...config } = given.config ?? {};
  const target = await readTarget(orgId, given.kind, config, rules);
  if (credential !== null) requireFittingCredential(credential, readGitAddress(config.url!).scheme);
  const name = given.name ?? target.suggestedName;
  if (name === null) throw invalid('body', 'name', `is required for ${kindNames[given.kind]}`);
  const { tags, owner, criticality, exposure } = given;
  return { kind: given.kind, name, target, credential, importance: { tags, owner, criticality, exposure } };
}

/**
 * Adds a prepared data source and returns its id. Throws 409 `already_exists` with the id of the data source that has
 * this kind and address, and a 400 for an owner who is not a member.
 */
export async function createDataSource(
  tx: Db,
  orgId: string,
  { kind, name, target, credential, importance: given }: PreparedDataSource,
  { actor, keyring }: { actor: AuditActor; keyring: Keyring },
): Promise<string> {
  const importance = await readImportance(tx, orgId, defaultImportance, given);
  const id = newId('ds');
  const sealed_credential = credential && sealCredential(keyring, orgId, id, credential);
  const { address, config } = target;
  const added = await insertDataSource(tx, orgId, {
    ...{ id, kind, name, address, config, sealed_credential },
    ...importance,
  });
  if (!added) throw alreadyExists(kind, await findDataSourceByAddress(tx, orgId, kind, address!));
  await recordAudit(tx, orgId, {
    actor,
    action: 'data_source.created',
    target: { id, name },
    after: { kind, name, config, credential: credential && 'given', ...auditedImportance(importance) },
  });
  return id;
}

/** Returns the 409 for an address that another data source has. `id` is null if that one was deleted meanwhile. */
export function alreadyExists(kind: DataSourceKind, id: string | null): ApiError {
  const message = `There is ${kindNames[kind]} with this address already${id === null ? '' : `: ${id}`}.`;
  return new ApiError('already_exists', message, {
    details: [{ in: 'body', field: 'config', message, id: id ?? undefined }],
  });
}
