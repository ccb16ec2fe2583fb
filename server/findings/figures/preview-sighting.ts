import { type Severity, severities, severityName } from '@assay/scanner/contract/severity.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';

type Place = { dataSourceId: string; source: string };

/** Returns how many of these distinct fingerprints are existing findings, and how many of those would reopen. */
export async function countKnown(
  db: Db,
  orgId: string,
  { dataSourceId, source }: Place,
  fingerprints: string[],
): Promise<{ known: number; resolved: number }> {
  const { rows } = await db.query<{ known: number; resolved: number }>({
    name: 'findings_count_known',
    // Each fingerprint is looked up in the index of identities: see listToWrite.
    text: `SELECT count(f.status)::int AS known, (count(*) FILTER (WHERE f.status = 'resolved' AND (f.again > clock_timestamp()) IS NOT TRUE))::int AS resolved
           FROM unnest($4::text[]) AS d(fingerprint) LEFT JOIN LATERAL (
             SELECT status, accepted_again_until AS again FROM findings
             WHERE org_id = $1 AND data_source_id = $2 AND source = $3 AND fingerprint BETWEEN d.fingerprint AND d.fingerprint
             ORDER BY org_id, data_source_id, source, fingerprint LIMIT 1) f ON true`,
    values: [orgId, dataSourceId, source, fingerprints],
  });
  return rows[0]!;
}

type OpenRow = { id: string; fingerprint: string; severity: number; title: string };

const pageSize = 10_000;

export type Missing = {
  count: number;
  bySeverity: Record<Severity, number>;
  samples: Array<{ id: string; title: string; severity: Severity }>;
};

export const noneMissing = (): Missing => ({
  count: 0,
  bySeverity: Object.fromEntries(severities.map((severity) => [severity, 0])) as Missing['bySeverity'],
  samples: [],
});

/**
 * Adds the open findings and accepted risks of a place that a scan would resolve because `wasSeen` is false for their
 * fingerprints, with up to ten samples. Reads page by page, each page in its own transaction.
 */
export async function addMissing(
  database: Database,
  orgId: string,
  { dataSourceId, source }: Place,
  wasSeen: (fingerprint: string) => boolean,
  missing: Missing,
): Promise<void> {
  for (let after = ''; ; ) {
    const page = await database.single<OpenRow>(orgId, {
      name: 'findings_list_open_of_place',
      text: `SELECT id, fingerprint, severity, title FROM findings
             WHERE org_id = $1 AND data_source_id = $2 AND source = $3 AND fingerprint > $4
               AND status IN ('new', 'triaged', 'in_progress', 'accepted_risk')
             ORDER BY fingerprint LIMIT $5`,
      values: [orgId, dataSourceId, source, after, pageSize],
    });
    for (const { id, fingerprint, severity: rank, title } of page) {
      if (wasSeen(fingerprint)) continue;
      const severity = severityName(rank);
      missing.count += 1;
      missing.bySeverity[severity] += 1;
      if (missing.samples.length < 10) missing.samples.push({ id, title, severity });
    }
    if (page.length < pageSize) return;
    after = page.at(-1)!.fingerprint;
  }
}
