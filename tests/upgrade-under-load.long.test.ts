import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openLog } from '../server/platform/log.ts';
import { migrate, readMigrations } from '../server/platform/postgres/migrate.ts';
import { asAdmin, createTestDatabase, type TestDatabase } from './harness/database.ts';

let cluster: TestDatabase;
let directory: string;
let url: string;
const writers: Writer[] = [];

/** Inserts findings with the columns that have no default. */
const insertFindings = `INSERT INTO findings (org_id, id, number, data_source_id, source, fingerprint, severity, title, rule_id, identifiers, evidence, facts_hash, text_id,
    words, first_seen_at, first_scan_id, last_seen_at, updated_at)
  SELECT 'org_a', 'fnd_' || lpad((n)::text, 12, '0'), n, 'ds_' || n % 7, 'secrets', 'v1:' || n, n % 5, 'Finding ' || n, 'rule-' || n % 40,
    '[]', 'A text of finding ' || n, n, n, to_tsvector('simple', 'finding number ' || n), now(), 'scan_a', now(), now()
  FROM generate_series($1::int, $2::int) AS n`;

/** A release that changes the largest tables, in transactions and outside them. */
const release = {
  index:
    'CREATE INDEX trial ON findings (org_id, title);\nDROP INDEX findings_due;\nALTER INDEX trial RENAME TO findings_due;',
  column: `ALTER TABLE findings ADD COLUMN trial text;
    ALTER TABLE findings ADD CONSTRAINT trial_known CHECK (trial <> '') NOT VALID;
    ALTER TABLE data_sources ADD COLUMN trial int NOT NULL DEFAULT 0;`,
  table: `CREATE TABLE trials (org_id text NOT NULL, finding_id text NOT NULL, PRIMARY KEY (org_id, finding_id),
      FOREIGN KEY (org_id, finding_id) REFERENCES findings (org_id, id));
    INSERT INTO trials SELECT org_id, id FROM findings WHERE id < 'fnd_000000001000';`,
  trigger: `CREATE FUNCTION fill_trial() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.trial := NEW.id; RETURN NEW; END $$;
    CREATE TRIGGER fill_trial BEFORE INSERT OR UPDATE ON findings FOR EACH ROW EXECUTE FUNCTION fill_trial();`,
  outside: `-- runs outside of a transaction
    CREATE INDEX CONCURRENTLY trial_title ON findings (org_id, title, severity);
    ALTER TABLE findings VALIDATE CONSTRAINT trial_known;
    UPDATE findings SET trial = id WHERE trial IS NULL;`,
};

type Writer = { committed: number; failures: string[]; stop(): Promise<void> };

/**
 * Writes findings like a service: reads first, pauses, then locks the rows that it changes, all in one transaction.
 */
async function startWriter(number: number): Promise<Writer> {
  const client = new pg.Client({ connectionString: url, application_name: `writer ${number}` });
  await client.connect();
  const writer = { committed: 0, failures: [] as string[] };
  let isStopped = false;
  let next = 1_000_000 * (number + 1);
  const work = (async () => {
    while (!isStopped) {
      next += 1;
      const own = `fnd_${String(next).padStart(12, '0')}`;
      try {
        await client.query('BEGIN');
        await client.query(
          `SELECT count(*) FROM findings WHERE org_id = 'org_a' AND rule_id = $1 AND id < 'fnd_000000001000'`,
          [`rule-${next % 40}`],
        );
        await client.query('SELECT count(*) FROM scans');
        await delay(1 + (next % 20));
        await client.query(insertFindings, [next, next]);
        await client.query(`UPDATE data_sources SET version = version + 1 WHERE org_id = 'org_a' AND id = $1`, [
          `ds_${next % 7}`,
        ]);
        const id = `fnd_${String(1 + (next % 20_000)).padStart(12, '0')}`;
        await client.query(`UPDATE findings SET version = version + 1 WHERE org_id = 'org_a' AND id = ANY($1)`, [
          [own, id],
        ]);
        await client.query('SELECT count(*) FROM audit_events');
        await client.query('COMMIT');
        writer.committed += 1;
      } catch (error) {
        writer.failures.push(String(error));
        await client.query('ROLLBACK');
      }
    }
    await client.end();
  })();
  return Object.assign(writer, {
    stop: () => {
      isStopped = true;
      return work;
    },
  });
}

async function read<Row extends object>(text: string): Promise<Row[]> {
  return asAdmin(url, async (client) => (await client.query<Row>(text)).rows);
}

const log = openLog({ level: 'silent' });

before(async () => {
  cluster = await createTestDatabase();
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asAdmin(cluster.adminUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  url = Object.assign(new URL(cluster.adminUrl), { pathname: `/${name}` }).href;
  directory = mkdtempSync(join(tmpdir(), 'assay-upgrade-'));
  cpSync(join(import.meta.dirname, '../server/migrations'), directory, { recursive: true });
  await migrate({ adminUrl: url, directory });
  await asAdmin(url, async (client) => {
    await client.query(`INSERT INTO organizations (id, name) VALUES ('org_a', 'A')`);
    await client.query(
      `INSERT INTO data_sources (org_id, id, kind, name, address, config) SELECT 'org_a', 'ds_' || n, 'upload', 'Source ' || n, 'a' || n, '{}'
       FROM generate_series(0, 6) AS n`,
    );
    await client.query(insertFindings, [1, 20_000]);
  });
  for (let number = 0; number < 8; number++) writers.push(await startWriter(number));
});
after(async () => {
  await Promise.all(writers.map((writer) => writer.stop()));
  rmSync(directory, { recursive: true });
  await asAdmin(cluster.adminUrl, (client) =>
    client.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`),
  );
  await cluster.drop();
});

const committed = () => writers.reduce((sum, writer) => sum + writer.committed, 0);

describe('while eight clients write', () => {
  test('two nodes add an index, a column, a constraint, a table and a trigger, and no write fails', async () => {
    const begun = committed();
    let { version } = (await readMigrations(directory)).at(-1)!;
    for (const [name, sql] of Object.entries(release))
      writeFileSync(join(directory, `${String(++version).padStart(4, '0')}_${name}.sql`), sql);
    const nodes = await Promise.all([1, 2].map(() => migrate({ adminUrl: url, directory, log })));
    assert.deepEqual(nodes.flat().sort(), Object.keys(release).sort());
    assert.deepEqual(await read(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'trial_title'::regclass`), [
      { indisvalid: true },
    ]);
    assert.deepEqual(await read(`SELECT convalidated FROM pg_constraint WHERE conname = 'trial_known'`), [
      { convalidated: true },
    ]);
    assert.deepEqual(await read('SELECT count(*)::int AS count FROM findings WHERE trial IS NULL'), [{ count: 0 }]);
    assert.deepEqual(
      writers.flatMap((writer) => writer.failures),
      [],
    );
    assert.ok(committed() > begun);
  });

  test('changes committed meanwhile are there', async () => {
    await Promise.all(writers.map((writer) => writer.stop()));
    const [row] = await read<{ count: number }>(
      `SELECT count(*)::int AS count FROM findings WHERE id > 'fnd_000000020000'`,
    );
    assert.equal(row!.count, committed());
  });
});
