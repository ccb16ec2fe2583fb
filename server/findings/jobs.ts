import type { Database } from '../platform/postgres/database.ts';
import { endAcceptances } from './close-findings.ts';
import { listOrganizationsWithEndedAcceptance } from './triage-queries.ts';

/** Ends expired risk acceptances. Runs on every node; the statements are safe to run at the same time. */
async function endDueAcceptances({ database }: { database: Database }): Promise<void> {
  const organizations = await database.transaction(null, listOrganizationsWithEndedAcceptance);
  for (const orgId of organizations) {
    for (let more = true; more; ) more = await database.transaction(orgId, (tx) => endAcceptances(tx, orgId));
  }
}

export const findingTicks = [{ name: 'Ending risk acceptances', everyMs: 15_000, run: endDueAcceptances }];
