import pg from 'pg';
import { startEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import type { Row } from './measure.ts';
import { type FindingsDirectory, quietLog } from './prepare-findings.ts';

/**
 * Measures the disk space of findings with indexes, history, comments and figures, without the write-ahead log, whose
 * size is bounded.
 */
export async function measureDisk(findings: FindingsDirectory): Promise<Row[]> {
  const postgres = await startEmbeddedPostgres({ directory: findings.directory, log: quietLog(), what: 'bench' });
  const client = new pg.Client({ connectionString: postgres.adminUrl });
  try {
    await client.connect();
    const { rows } = await client.query<{ all: string; rows: string; indexes: string }>(
      `SELECT pg_database_size(current_database()) AS all, sum(pg_table_size(relid)) AS rows, sum(pg_indexes_size(relid)) AS indexes
       FROM (SELECT 'findings'::regclass AS relid UNION SELECT relid FROM pg_partition_tree('findings')) AS parts`,
    );
    const [gigabytes, heap, indexes] = [rows[0]!.all, rows[0]!.rows, rows[0]!.indexes].map(
      (bytes) => Number(bytes) / 1e9,
    );
    const millions = findings.count / 1e6;
    return [
      { question: 'Disk for 1,000,000 findings', value: gigabytes! / millions, unit: 'GB', bound: '<= 1.9' },
      { question: 'of which the rows of findings', value: heap! / millions, unit: 'GB', bound: null },
      { question: 'of which their indexes', value: indexes! / millions, unit: 'GB', bound: null },
    ];
  } finally {
    await client.end();
    await postgres.stop();
  }
}
