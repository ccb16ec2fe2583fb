import type { Database } from '../platform/postgres/database.ts';
import { reportChangesAhead } from './change-clock.ts';
import { endAcceptances } from './close-findings.ts';
import { listOrganizationsWithTexts, purgeTexts } from './shared-texts.ts';
import { listOrganizationsWithEndedAcceptance } from './triage-queries.ts';

/** Ends expired risk acceptances. Runs on every node; the statements are safe to run concurrently. */
async function endDueAcceptances({ database }: { database: Database }): Promise<void> {
  const organizations = await database.transaction(null, listOrganizationsWithEndedAcceptance);
  for (const orgId of organizations) {
    for (let more = true; more; ) more = await database.transaction(orgId, (tx) => endAcceptances(tx, orgId));
  }
}

/** Removes texts that no finding uses any more. Runs on every node; the statements are safe to run concurrently. */
async function removeUnusedTexts({ database }: { database: Database }): Promise<void> {
  for (const orgId of await database.transaction(null, listOrganizationsWithTexts))
    await purgeTexts((run) => database.transaction(orgId, run), orgId);
}

/**
 * Updates the statistics of tables after imports and bulk changes, and creates those of tables without any. Before, and
 * on connections that had planned a list while a table was nearly empty, a list of 200,000 findings took up to 30
 * seconds.
 */
export async function renewStatistics({ database }: { database: Database }): Promise<void> {
  await database.single(null, { name: 'findings_analyze_changed', text: 'SELECT analyze_changed_findings()' });
}

export const findingTicks = [
  { name: 'Watching the clock of changes', everyMs: 60_000, run: reportChangesAhead },
  { name: 'Ending risk acceptances', everyMs: 15_000, run: endDueAcceptances },
  { name: 'Renewing the statistics of findings', everyMs: 5_000, run: renewStatistics },
  { name: 'Removing unused texts of findings', everyMs: 6 * 3_600_000, run: removeUnusedTexts },
];
