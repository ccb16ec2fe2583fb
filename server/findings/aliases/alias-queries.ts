import type { Db } from '../../platform/postgres/database.ts';
import type { Alias } from './names.ts';

const namesIn = (from: string) =>
  `ARRAY(SELECT name FROM ${from} GROUP BY name ORDER BY name LIKE 'CVE-%' DESC, name LIKE 'GHSA-%' DESC, name LIMIT 2)`;

/**
 * Returns up to two highest-ranking names of each alias: from feeds, or from the organization's own aliases where no
 * feed has the alias.
 */
export async function listNames(db: Db, orgId: string, aliases: string[]): Promise<Map<string, string[]>> {
  const { rows } = await db.query<{ alias: string; names: string[] }>({
    name: 'aliases_list_names',
    text: `SELECT a.alias, CASE WHEN feed.names = '{}' THEN own.names ELSE feed.names END AS names
           FROM unnest($2::text[]) AS a(alias)
           CROSS JOIN LATERAL (SELECT ${namesIn('advisory_aliases x WHERE x.alias = a.alias')} AS names) feed
           CROSS JOIN LATERAL (SELECT ${namesIn('finding_aliases x WHERE x.org_id = $1 AND x.alias = a.alias')} AS names) own
           WHERE feed.names <> '{}' OR own.names <> '{}'`,
    values: [orgId, aliases],
  });
  return new Map(rows.map(({ alias, names }) => [alias, names]));
}

const maxAliases = 50;

/** Returns the aliases of any of the names, at most 50 from feeds and 50 of the organization's own. */
export async function listAliases(db: Db, orgId: string, names: string[]): Promise<string[]> {
  const { rows } = await db.query<{ alias: string }>({
    name: 'aliases_list',
    text: `SELECT DISTINCT a.alias FROM unnest($2::text[]) AS n(name) CROSS JOIN LATERAL (
             (SELECT x.alias FROM advisory_aliases x WHERE x.name = n.name GROUP BY x.alias ORDER BY x.alias LIMIT ${maxAliases})
             UNION ALL
             (SELECT x.alias FROM finding_aliases x WHERE x.org_id = $1 AND x.name = n.name ORDER BY x.alias LIMIT ${maxAliases})) a`,
    values: [orgId, names],
  });
  return rows.map(({ alias }) => alias);
}

/** Returns a text that differs once the feeds or the organization have other aliases; aliases of aborted transactions count as others. */
export async function findAliasesVersion(db: Db, orgId: string): Promise<string> {
  const { rows } = await db.query<{ version: string }>({
    name: 'aliases_find_version',
    text: `SELECT concat_ws(' ', vulnerability_feeds_version(), r.aliases_version, r.xmin) AS version
           FROM (SELECT) one LEFT JOIN exploitation_recomputations r ON r.org_id = $1`,
    values: [orgId],
  });
  return rows[0]!.version;
}

/**
 * Stores the organization's own aliases, except those that a feed has, and schedules the affected findings for
 * recomputation. Run it before the transaction locks findings.
 */
export async function insertAliases(tx: Db, orgId: string, aliases: Alias[]): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'finding_aliases_insert',
    text: `INSERT INTO finding_aliases (org_id, alias, name)
           SELECT DISTINCT $1, d.alias, d.name FROM unnest($2::text[], $3::text[]) AS d(alias, name)
           WHERE NOT EXISTS (SELECT FROM advisory_aliases x WHERE x.alias = d.alias)
           ORDER BY d.alias, d.name ON CONFLICT DO NOTHING`,
    values: [orgId, aliases.map(({ alias }) => alias), aliases.map(({ name }) => name)],
  });
  if (rowCount === 0) return;
  await tx.query({
    name: 'finding_aliases_count_change',
    text: `INSERT INTO exploitation_recomputations AS r (org_id, version, aliases_version) VALUES ($1, -1, 1)
           ON CONFLICT (org_id) DO UPDATE SET aliases_version = r.aliases_version + 1`,
    values: [orgId],
  });
}
