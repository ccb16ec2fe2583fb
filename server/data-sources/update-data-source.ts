import { type AuditActor, recordAudit } from '../organization/audit.ts';
import { ApiError, errorCode, invalid } from '../platform/errors.ts';
import type { Db } from '../platform/postgres/database.ts';
import type { Keyring } from '../platform/sealed.ts';
import { alreadyExists } from './create-data-source.ts';
import { type GitCredential, requireFittingCredential, sealCredential } from './credential.ts';
import { readGitAddress } from './git-address.ts';
import { auditedImportance, type ImportanceInput, readImportance } from './importance.ts';
import { type DataSourceKind, kindNames } from './kind.ts';
import { type DataSourceRow, findDataSourceByAddress, updateDataSource } from './queries.ts';
import { type GivenConfig, readTarget, type TargetRules } from './read-target.ts';
import type { Target } from './target.ts';

export type DataSourceChange = {
  name?: string;
  config?: GivenConfig & { credential?: GitCredential | null };
} & ImportanceInput;
export type PreparedChange = {
  row: DataSourceRow;
  name: string;
  target: Target;
  credential: GitCredential | null | undefined;
  importance: ImportanceInput;
};

const configFields: Record<DataSourceKind, readonly string[]> = {
  git_repository: ['url', 'branch', 'branches', 'credential'],
  website: ['url'],
  host: ['address'],
  container_image: ['reference'],
  upload: [],
};

/**
 * Computes the changed `row`; missing fields stay unchanged. Call it before the transaction, since it resolves names by
 * DNS. Throws a 400 that names the field.
 */
export async function prepareChange(
  orgId: string,
  row: DataSourceRow,
  change: DataSourceChange,
  rules: TargetRules,
): Promise<PreparedChange> {
  const { credential, ...config } = change.config ?? {};
  requireKnownFields(row.kind, change.config ?? {});
  const target =
    change.config === undefined
      ? unchanged(row)
      : await readTarget(orgId, row.kind, { ...row.config, ...config }, rules);
  if (row.kind === 'git_repository') requireCredentialOf(row, target.config.url!, credential);
  const { tags, owner, criticality, exposure } = change;
  return {
    ...{ row, name: change.name ?? row.name, target, credential },
    importance: { tags, owner, criticality, exposure },
  };
}

/**
 * Writes a prepared change. Throws 409: `conflict` if the row changed meanwhile, `already_exists` if another data
 * source has the address.
 */
export async function changeDataSource(
  tx: Db,
  orgId: string,
  { row, name, target, credential, importance: given }: PreparedChange,
  { actor, keyring }: { actor: AuditActor; keyring: Keyring },
): Promise<void> {
  const { id, kind, version } = row;
  const { address, config } = target;
  const importance = await readImportance(tx, orgId, row, given);
  if (address !== null && address !== row.address) {
    const other = await findDataSourceByAddress(tx, orgId, kind, address);
    if (other !== null) throw alreadyExists(kind, other);
  }
  const sealed_credential =
    credential === undefined ? row.sealed_credential : credential && sealCredential(keyring, orgId, id, credential);
  const changed = { id, name, address, config, sealed_credential, version, ...importance };
  const written = await updateDataSource(tx, orgId, changed).catch((error) => {
    // Another data source took the address between the check and the write.
    throw errorCode(error) === '23505' ? alreadyExists(kind, null) : error;
  });
  if (!written)
    throw new ApiError(
      'conflict',
      'The data source was changed or deleted at the same moment. Read it again, and repeat the change.',
    );
  await recordAudit(tx, orgId, {
    actor,
    action: 'data_source.updated',
    target: { id, name },
    before: { name: row.name, config: row.config, ...auditedImportance(row) },
    after: { name, config, ...auditedImportance(importance) },
    details: credential === undefined ? undefined : { credential_changed: true },
  });
}

const unchanged = (row: DataSourceRow): Target => ({
  config: row.config,
  address: row.address,
  endpoint: null,
  suggestedName: null,
});

function requireKnownFields(kind: DataSourceKind, config: object): void {
  const known = configFields[kind];
  for (const field of Object.keys(config)) {
    if (known.includes(field)) continue;
    const accepted = known.length === 0 ? 'it has none' : `known are ${known.join(', ')}`;
    throw invalid('body', `config.${field}`, `is not a field of ${kindNames[kind]}: ${accepted}`);
  }
}

/**
 * A stored credential must not follow the URL to another host: otherwise anyone who may edit could have it sent to
 * their own host.
 */
function requireCredentialOf(row: DataSourceRow, newUrl: string, credential: GitCredential | null | undefined): void {
  const now = readGitAddress(newUrl);
  if (credential) requireFittingCredential(credential, now.scheme);
  if (credential !== undefined || row.sealed_credential === null) return;
  const before = readGitAddress(row.config.url!);
  const stays =
    now.scheme === before.scheme &&
    now.endpoint?.host === before.endpoint?.host &&
    now.endpoint?.port === before.endpoint?.port;
  if (!stays)
    throw invalid(
      'body',
      'config.credential',
      'must be given again, or null, when config.url moves to another host or transport',
    );
}
