import { triageFindings } from '../../findings/triage-findings.ts';
import { listAssigned } from '../../findings/triage-queries.ts';
import { moveAssignmentsJobType } from '../../identity/accounts/move-assignments-job-type.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';

const findingsPerTransaction = 1_000;

/** Moves a batch of assignments and records it in their history. Returns whether there are more. */
async function moveSome(tx: Db, orgId: string, { from, into }: { from: string; into: string }): Promise<boolean> {
  const ids = await listAssigned(tx, orgId, from, findingsPerTransaction);
  if (ids.length > 0) await triageFindings(tx, orgId, into, ids, { assigneeId: into });
  return ids.length === findingsPerTransaction;
}

export const moveAssignments: JobDefinition<{ database: Database }, typeof moveAssignmentsJobType.schema> = {
  ...moveAssignmentsJobType,
  async run({ org_id: orgId, ...accounts }, { database }) {
    while (await database.transaction(orgId, (tx) => moveSome(tx, orgId, accounts)));
  },
};
