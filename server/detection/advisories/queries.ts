import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { baseEcosystem, normaliseName } from '@assay/scanner/advisories/ecosystem.ts';
import type { Advisories, Advisory } from '@assay/scanner/contract/advisory.ts';
import { advisoriesAmong, aliasesAmong } from '../../findings/aliases/names.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';

/** The number of names in one query. */
const namesPerQuery = 2_000;

const pack = (advisory: Advisory): Buffer => deflateRawSync(JSON.stringify(advisory), { level: 6 });
const unpack = (content: Buffer): Advisory => JSON.parse(inflateRawSync(content).toString()) as Advisory;

/** Returns the advisories in the database. */
export function storedAdvisories(database: Database): Advisories {
  return {
    async exist(ecosystem) {
      const ofEcosystem = {
        name: 'advisories_exist_of',
        text: 'SELECT FROM advisories WHERE ecosystem = $1 LIMIT 1',
        values: [ecosystem],
      };
      const any = { name: 'advisories_exist', text: 'SELECT FROM advisories LIMIT 1' };
      return (await database.single(null, ecosystem === undefined ? any : ofEcosystem)).length > 0;
    },
    async find(ecosystem, names) {
      const found: Advisory[] = [];
      for (let start = 0; start < names.length; start += namesPerQuery) {
        // PostgreSQL refuses NUL, and no advisory is about a package with such a name.
        const some = names.slice(start, start + namesPerQuery).filter((name) => !name.includes('\0'));
        const rows = await database.transaction(null, (tx) => listAdvisories(tx, baseEcosystem(ecosystem), some));
        found.push(...rows);
      }
      return found;
    },
  };
}

async function listAdvisories(tx: Db, ecosystem: string, names: string[]): Promise<Advisory[]> {
  const { rows } = await tx.query<{ content: Buffer }>({
    name: 'advisories_of_packages',
    text: `SELECT content FROM advisories
           WHERE ecosystem = $1
             AND id IN (SELECT advisory_id FROM advisory_packages WHERE ecosystem = $1 AND package = ANY($2))
           ORDER BY id`,
    values: [ecosystem, names],
  });
  return rows.map((row) => unpack(row.content));
}

/** Returns when each stored advisory of an ecosystem last changed, in its publisher's format. */
export async function listModified(tx: Db, ecosystem: string): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ id: string; modified: string }>({
    text: 'SELECT id, modified FROM advisories WHERE ecosystem = $1',
    values: [ecosystem],
  });
  return new Map(rows.map((row) => [row.id, row.modified]));
}

/** Inserts or replaces advisories of one ecosystem by id. */
export async function putAdvisories(tx: Db, ecosystem: string, advisories: Advisory[]): Promise<void> {
  const ids = advisories.map((advisory) => advisory.id);
  await tx.query({
    name: 'advisories_put',
    text: `INSERT INTO advisories (ecosystem, id, modified, content)
           SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bytea[])
           ON CONFLICT (ecosystem, id) DO UPDATE SET modified = excluded.modified, content = excluded.content`,
    values: [ecosystem, ids, advisories.map((one) => one.modified), advisories.map(pack)],
  });
  const packages = advisories.flatMap(({ id, affected }) =>
    [...new Set(namesIn(affected, ecosystem))].map((name) => ({ id, name })),
  );
  await tx.query({
    name: 'advisory_packages_put',
    text: `WITH wanted AS (SELECT DISTINCT advisory_id, package FROM unnest($3::text[], $4::text[]) w (advisory_id, package)),
                gone AS (DELETE FROM advisory_packages p
                         WHERE ecosystem = $1 AND advisory_id = ANY($2)
                           AND NOT EXISTS (SELECT FROM wanted w WHERE (w.advisory_id, w.package) = (p.advisory_id, p.package)))
           INSERT INTO advisory_packages (ecosystem, package, advisory_id)
           SELECT $1, package, advisory_id FROM wanted ON CONFLICT DO NOTHING`,
    values: [ecosystem, ids, packages.map((one) => one.id), packages.map((one) => one.name)],
  });
  await putAliases(tx, ecosystem, advisories);
}

/** Replaces the aliases that these advisories state, and has findings recomputed if any of them changed. */
async function putAliases(tx: Db, ecosystem: string, advisories: Pick<Advisory, 'id' | 'aliases'>[]): Promise<void> {
  const stated = advisories.flatMap(({ id, aliases }) =>
    aliasesAmong(advisoriesAmong([id, ...aliases])).map((alias) => ({ id, ...alias })),
  );
  await tx.query({
    name: 'advisory_aliases_put',
    text: `WITH wanted AS (SELECT DISTINCT alias, name, advisory_id FROM unnest($3::text[], $4::text[], $5::text[]) w (alias, name, advisory_id)),
                gone AS (DELETE FROM advisory_aliases a WHERE ecosystem = $1 AND advisory_id = ANY($2)
                           AND NOT EXISTS (SELECT FROM wanted w WHERE (w.alias, w.name, w.advisory_id) = (a.alias, a.name, a.advisory_id))
                         RETURNING 1),
                made AS (INSERT INTO advisory_aliases (alias, name, ecosystem, advisory_id)
                         SELECT alias, name, $1, advisory_id FROM wanted ON CONFLICT DO NOTHING RETURNING 1)
           UPDATE advisory_sync SET aliases_version = aliases_version + 1 WHERE EXISTS (SELECT FROM gone) OR EXISTS (SELECT FROM made)`,
    values: [
      ecosystem,
      advisories.map(({ id }) => id),
      stated.map(({ alias }) => alias),
      stated.map(({ name }) => name),
      stated.map(({ id }) => id),
    ],
  });
}

const namesIn = (affected: Advisory['affected'], ecosystem: string): string[] =>
  affected.filter((one) => baseEcosystem(one.ecosystem) === ecosystem).map((one) => normaliseName(ecosystem, one.name));

/** Deletes advisories of one ecosystem, with the rows that refer to them. */
export async function deleteAdvisories(tx: Db, ecosystem: string, ids: string[]): Promise<void> {
  const nameless = ids.map((id) => ({ id, aliases: [] }));
  await putAliases(tx, ecosystem, nameless);
  await tx.query({
    name: 'advisories_delete',
    text: 'DELETE FROM advisories WHERE ecosystem = $1 AND id = ANY($2)',
    values: [ecosystem, ids],
  });
}
