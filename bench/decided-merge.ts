import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rankOf } from '../scanner/contract/scope-rank.ts';
import { mergeDecisions } from '../server/decisions/apply-decisions.ts';
import { insertDecision } from '../server/decisions/queries.ts';
import type { Scope } from '../server/decisions/scope.ts';
import { insertTenant } from '../server/findings/findings.fixture.ts';
import { recordDetections } from '../server/findings/record-detections.ts';
import { newId } from '../server/platform/id.ts';
import { type Database, openDatabase } from '../server/platform/postgres/database.ts';
import { startEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { migrate } from '../server/platform/postgres/migrate.ts';
import { detections } from './detections.ts';
import { percentile, type Row } from './measure.ts';
import { dataDirectory, quietLog } from './prepare-findings.ts';
import { totalProcessorMs } from './processor-time.ts';

/** Scopes of all kinds. A tenth names a rule of the results with a path; about 1 % of the results are in them. */
function scopeOf(index: number): Scope {
  const module = index < 12 ? index : 1_000;
  if (index < 100) return { rule: [`code.injection-${index}`], path: [`services/orders/src/module${module}/**`] };
  if (index < 300) return { rule: [`code.other-${index}`] };
  if (index < 700) return { identifier: [`CVE-2099-${1000 + index}`] };
  return { package: [`pkg:npm/package-${index}`], versions: `vers:npm/>=1.0.0|<2.0.${index}` };
}

async function decide(database: Database, orgId: string, userId: string): Promise<void> {
  await database.transaction(orgId, async (tx) => {
    for (let index = 0; index < 1_000; index++) {
      const scope = scopeOf(index);
      const decision = {
        id: newId('dec'),
        outcome: 'false_positive',
        justification: null,
        reason: 'Why.',
        scope,
      } as const;
      const ends = { until: null, endsWhen: null, belowSeverity: null, expiresAt: null };
      await insertDecision(tx, orgId, userId, { ...decision, ...ends, rank: rankOf(scope) });
    }
  });
}

/** Merges results into a new data source. Returns the processor time of this process and its connection, in milliseconds. */
async function merge(database: Database, orgId: string, total: number): Promise<number> {
  const dataSourceId = newId('ds');
  await database.single(orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', $2, '{}')`,
    values: [orgId, dataSourceId],
  });
  const [row] = await database.single<{ pid: number }>(orgId, { text: 'SELECT pg_backend_pid() AS pid' });
  const pids = [process.pid, row!.pid];
  const sighting = { dataSourceId, source: 'code', scanId: 'scan_bench', startedAt: new Date() };
  let spentMs = 0;
  for (let start = 0; start < total; start += 2_000) {
    const batch = detections(start, Math.min(total, start + 2_000));
    const before = totalProcessorMs(pids);
    await database.transaction(orgId, (tx) => recordDetections(tx, orgId, sighting, batch, mergeDecisions));
    spentMs += totalProcessorMs(pids) - before;
  }
  return spentMs;
}

/** Measures merges into an organization with 1,000 decisions against those into one without, taking turns. */
export async function measureDecidedMerge(total = 100_000, runs = 10): Promise<Row[]> {
  const directory = join(dataDirectory, 'decided-merge');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const postgres = await startEmbeddedPostgres({ directory, log: quietLog(), what: 'bench' });
  const database = openDatabase({ connectionString: postgres.appUrl, maxConnections: 1 });
  try {
    await migrate({ adminUrl: postgres.adminUrl });
    const [plain, decided] = [await insertTenant(database), await insertTenant(database)];
    await decide(database, decided.orgId, decided.userId);
    for (const { orgId } of [plain, decided]) await merge(database, orgId, Math.min(total, 10_000));
    const spent: Record<'plain' | 'decided', number[]> = { plain: [], decided: [] };
    for (let run = 0; run < runs; run++) {
      spent.plain.push(await merge(database, plain.orgId, total));
      spent.decided.push(await merge(database, decided.orgId, total));
    }
    const ratios = spent.plain.map((ms, run) => spent.decided[run]! / ms);
    return [
      {
        question: `Merge of ${total.toLocaleString('en-US')} results with 1,000 decisions, against one without (processor time)`,
        value: percentile(ratios, 0.5),
        unit: '×',
        bound: '<= 1.15',
      },
    ];
  } finally {
    await database.close();
    await postgres.stop();
  }
}

if (import.meta.main) {
  const { tableOf } = await import('./measure.ts');
  const [, , total, runs] = process.argv.map(Number);
  console.log(tableOf(await measureDecidedMerge(total || undefined, runs || undefined)));
}
