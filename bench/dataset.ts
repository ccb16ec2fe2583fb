import type pg from 'pg';
import { rulesVersion } from '../server/findings/urgency.ts';
import { newId } from '../server/platform/id.ts';
import { insertActivity } from './dataset-activity.ts';
import { insertDataSources, insertMembers, type Organization } from './dataset-organizations.ts';
import { createRules } from './dataset-rules.ts';
import * as sql from './dataset-sql.ts';

const otherOrganizationCount = 9;

/** Creates the other organizations, which share what does not belong to the first. */
async function createOthers(client: pg.Client): Promise<Organization[]> {
  const others: Organization[] = [];
  for (let number = 1; number <= otherOrganizationCount; number++) {
    const orgId = newId('org');
    await client.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [orgId, `Organization ${number}`]);
    others.push({ orgId, memberCount: 8, dataSourceCount: 40 });
  }
  return others;
}

async function secondaryIndexes(client: pg.Client) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i WHERE i.indrelid::regclass::text = ANY($1)
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [['findings', 'finding_tags', 'finding_history', 'finding_comments']],
  );
  return rows;
}

/**
 * Loads `count` findings, as years of scans and triage would have left them, directly into the tables, with their
 * figures, tags, history and comments; `share` of them in the first organization, the rest in `others` or in nine new ones.
 * Deterministic except for the ids of organizations and the current time.
 */
export async function loadDataset(
  client: pg.Client,
  organization: Organization,
  count: number,
  share = 0.5,
  others?: Organization[],
): Promise<void> {
  const organizations = [organization, ...(others ?? (await createOthers(client)))];
  // Without checks per row and with a minimal log: after a failure, loading starts from the beginning.
  await client.query(`SET session_replication_role = replica; SET synchronous_commit = off;
    SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'; SET max_parallel_maintenance_workers = 2`);
  await client.query(sql.functions);
  await createRules(client);
  await insertDataSources(client, organizations);
  await insertMembers(client, organizations);
  const indexes = await secondaryIndexes(client);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await client.query(sql.insertFindings, [count, share, organizations.length - 1]);
  for (const statement of [sql.insertTexts, sql.insertTags, sql.insertHistory, sql.insertComments])
    await client.query(statement);
  for (const { definition } of indexes) await client.query(definition);
  for (const statement of [sql.insertCounts, sql.insertDaily, sql.insertCoverage]) await client.query(statement);
  await client.query(sql.insertRecomputations, [rulesVersion]);
  await insertActivity(client, organization.orgId, count);
  await client.query('VACUUM (ANALYZE)');
}
