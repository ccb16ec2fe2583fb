import type { Detection } from '@assay/scanner/contract/detection.ts';
import { fingerprint } from '@assay/scanner/contract/fingerprint.ts';
import type { Severity } from '@assay/scanner/contract/severity.ts';
import { newId } from '../platform/id.ts';
import type { Database } from '../platform/postgres/database.ts';

/** Returns a detection for tests; `key` is its identity. */
export function detectionOf(key: string, changes: Partial<Detection> & { severity?: Severity } = {}): Detection {
  const location = {
    path: `src/${key}.ts`,
    start_line: 1,
    end_line: 1,
    start_column: 1,
    end_column: 9,
    commit: null,
    url: null,
    package: null,
  };
  return {
    fingerprint: fingerprint('test', key),
    title: `Problem ${key}`,
    description: `About ${key}.`,
    severity: 'high',
    rule: { id: `rule-${key}`, name: `Rule ${key}`, url: null },
    location,
    places: [{ path: location.path, start_line: 1, end_line: 1, commit: null }],
    occurrences: 1,
    identifiers: ['CWE-798'],
    cvss_score: null,
    evidence: null,
    remediation: null,
    references: [],
    ...changes,
  };
}

/** Inserts an organization with a member and a data source directly into the database. */
export async function insertTenant(
  database: Database,
): Promise<{ orgId: string; userId: string; dataSourceId: string }> {
  const orgId = newId('org');
  const userId = newId('usr');
  const dataSourceId = newId('ds');
  await database.single(null, {
    text: `INSERT INTO users (id, name, email) VALUES ($1, 'Sam', $2)`,
    values: [userId, `${userId}@example.test`],
  });
  await database.transaction(orgId, async (tx) => {
    await tx.query({ text: `INSERT INTO organizations (id, name) VALUES ($1, 'Test')`, values: [orgId] });
    await tx.query({
      text: `INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'owner')`,
      values: [orgId, userId],
    });
    await tx.query({
      text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', 'results', '{}')`,
      values: [orgId, dataSourceId],
    });
  });
  return { orgId, userId, dataSourceId };
}
