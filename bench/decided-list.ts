import pg from 'pg';
import { newId } from '../server/platform/id.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { percentile, type Row } from './measure.ts';
import { type FindingsDirectory, prepareFindings, quietLog } from './prepare-findings.ts';
import { totalProcessorMs } from './processor-time.ts';
import { getJson, timeRequest } from './requests.ts';
import { startServer } from './server-process.ts';

/** Inserts decisions about rules. Returns their ids. */
async function decide(client: pg.Client, orgId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('dec'));
  await client.query(
    `INSERT INTO decisions (org_id, id, made, outcome, justification, reason, scope, rank, requested_by)
     SELECT $1, id, (SELECT COALESCE(max(made), 0) FROM decisions WHERE org_id = $1) + number, 'triaged', 'other', 'Why.',
       json_build_object('rule', json_build_array('rule-' || number)), 1, (SELECT id FROM users LIMIT 1)
     FROM unnest($2::text[]) WITH ORDINALITY AS made(id, number)`,
    [orgId, ids],
  );
  return ids;
}

/** Gives each of these findings another decision, or none. */
async function hold(client: pg.Client, orgId: string, findings: string[], decisions: string[] | null): Promise<void> {
  await client.query(
    `UPDATE findings f SET decision_id = d.decision FROM unnest($2::text[], $3::text[]) AS d(finding, decision)
     WHERE f.org_id = $1 AND f.id = d.finding`,
    [orgId, findings, findings.map((_, index) => decisions?.[index] ?? null)],
  );
}

/**
 * Measures the first page of all findings of an organization with 1,000 decisions, a different one at each finding of the page,
 * against the same page without decisions, taking turns.
 */
export async function measureDecidedList(
  { directory, orgId, token, count }: FindingsDirectory,
  runs = 10,
  requests = 100,
): Promise<Row[]> {
  const server = await startServer(directory);
  const { adminUrl } = await openEmbeddedPostgres({ directory, log: quietLog() });
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const headers = { authorization: `Bearer ${token}` };
    const url = `${server.address}/findings?limit=50`;
    const list = async () => (await getJson(url, headers)) as { data: Array<{ id: string; decision: object | null }> };
    const listed = (await list()).data.map(({ id }) => id);
    const decisions = await decide(client, orgId, 1_000);
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'assay api'`,
    );
    const pids = [server.pid, ...rows.map(({ pid }) => pid)];
    const spend = async (held: string[] | null): Promise<number> => {
      await hold(client, orgId, listed, held);
      const { data } = await list();
      if (data.some(({ decision }) => (decision === null) !== (held === null)))
        throw new Error('The page does not have the decisions.');
      const before = totalProcessorMs(pids);
      for (let sent = 0; sent < requests; sent++) await timeRequest(url, headers);
      return totalProcessorMs(pids) - before;
    };
    for (const held of [null, decisions]) await spend(held);
    const ratios: number[] = [];
    for (let run = 0; run < runs; run++) {
      const plain = await spend(null);
      ratios.push((await spend(decisions)) / plain);
    }
    await hold(client, orgId, listed, null);
    await client.query('DELETE FROM decisions WHERE org_id = $1 AND id = ANY($2)', [orgId, decisions]);
    return [
      {
        question: `Page of 50 of ${count.toLocaleString('en-US')} findings with a decision each, against none (processor time)`,
        value: percentile(ratios, 0.5),
        unit: '×',
        bound: '<= 1.10',
      },
    ];
  } finally {
    await client.end();
    await server.stop();
  }
}

if (import.meta.main) {
  const { tableOf } = await import('./measure.ts');
  const findings = await prepareFindings(1_000_000, { share: 1, dataSourceCount: 400 });
  console.log(tableOf(await measureDecidedList(findings)));
}
