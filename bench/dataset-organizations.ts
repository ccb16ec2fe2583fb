import type pg from 'pg';
import { newId } from '../server/platform/id.ts';

/** An organization of the dataset. The more data sources it has, the fewer findings each of them has. */
export type Organization = { orgId: string; memberCount: number; dataSourceCount: number };

const kinds = ['git_repository', 'git_repository', 'git_repository', 'container_image', 'website', 'git_repository'];

/** Inserts data sources, and the temporary table from which findings choose theirs by organization and number. */
export async function insertDataSources(client: pg.Client, organizations: Organization[]): Promise<void> {
  await client.query(
    'CREATE TEMP TABLE bench_data_sources (org integer, org_id text, number integer, id text, kind text, total integer)',
  );
  for (const [org, { orgId, dataSourceCount }] of organizations.entries()) {
    const rows = Array.from({ length: dataSourceCount }, (_, number) => ({
      id: newId('ds'),
      number,
      kind: kinds[number % kinds.length]!,
      name: `service-${number}`,
      address: `https://git.example.com/team-${number % 12}/service-${number}`,
    }));
    await client.query(
      `WITH given AS (SELECT * FROM json_to_recordset($2) AS d(id text, number integer, kind text, name text, address text)),
         kept AS (INSERT INTO data_sources (org_id, id, kind, name, address, config, last_scanned_at)
           SELECT $1, id, kind, name, address, json_build_object('url', address), now() FROM given)
       INSERT INTO bench_data_sources SELECT $3, $1, number, id, kind, $4 FROM given`,
      [orgId, JSON.stringify(rows), org, dataSourceCount],
    );
  }
  await client.query('ANALYZE bench_data_sources');
}

/** Inserts the people of each organization, and the temporary table of assignees. */
export async function insertMembers(client: pg.Client, organizations: Organization[]): Promise<void> {
  await client.query('CREATE TEMP TABLE bench_members (org integer, number integer, id text, total integer)');
  for (const [org, { orgId, memberCount }] of organizations.entries()) {
    const rows = Array.from({ length: memberCount }, (_, number) => ({
      id: newId('usr'),
      number,
      email: `person${number}.${org}@example.com`,
    }));
    await client.query(
      `WITH given AS (SELECT * FROM json_to_recordset($2) AS d(id text, number integer, email text)),
         people AS (INSERT INTO users (id, name, email) SELECT id, 'Person ' || number, email FROM given),
         members AS (INSERT INTO members (org_id, user_id, role) SELECT $1, id, 'analyst' FROM given)
       INSERT INTO bench_members SELECT $3, number, id, $4 FROM given`,
      [orgId, JSON.stringify(rows), org, memberCount],
    );
  }
  await client.query('ANALYZE bench_members');
}
