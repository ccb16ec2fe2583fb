import type { Database } from '../platform/postgres/database.ts';
import { endAcceptances } from './close-findings.ts';
import { listOrganizationsWithTexts, purgeTexts } from './shared-texts.ts';
import { listOrganizationsWithEndedAcceptance } from './triage-queries.ts';

/** Ends expired risk acceptances. Runs on every node; the statements are safe to run at the same time. */
async function endDueAcceptances({ database }: { database: Database }): Promise<void> {
  const organizations = await database.transaction(null, listOrganizationsWithEndedAcceptance);
  for (const orgId of organizations) {
    for (let more = true; more; ) more = await database.transaction(orgId, (tx) => endAcceptances(tx, orgId));
  }
}

/** Removes texts that no finding has any more. Runs on every node; the statements are safe to run at the same time. */
async function removeUnusedTexts({ database }: { database: Database }): Promise<void> {
  for (const orgId of await database.transaction(null, listOrganizationsWithTexts))
    await purgeTexts((run) => database.transaction(orgId, run), orgId);
}

export const findingTicks = [
  { name: 'Ending risk acceptances', everyMs: 15_000, run: endDueAcceptances },
  { name: 'Removing unused texts of findings', everyMs: 6 * 3_600_000, run: removeUnusedTexts },
];
