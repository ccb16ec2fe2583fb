import type { Db } from '../../platform/postgres/database.ts';
import type { ChangeTime } from '../change-clock.ts';
import type { LockedFinding } from '../merge-queries.ts';
import { isOfRow, lookUpByIndex } from '../policy-queries.ts';
import { recomputeLocked } from './recompute-locked.ts';

/** Writes the shown severity of locked findings after `FindingChanges.demote`, and the urgency that follows from it. */
export async function updateDemotions(tx: Db, orgId: string, time: ChangeTime, rows: LockedFinding[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query({
    text: `UPDATE findings f SET severity = d.severity, demoted_by = d."demotedBy", updated_at = $3, version = f.version + 1,
             scanner_severity = CASE WHEN d."demotedBy" IS NOT NULL THEN d."scannerSeverity" END
           FROM json_to_recordset($2::json) AS d(id text, severity smallint, "scannerSeverity" smallint, "demotedBy" text)
           WHERE ${isOfRow('d')}`,
    values: [
      orgId,
      JSON.stringify(
        rows.map(({ id, severity, scannerSeverity, demotedBy }) => ({ id, severity, scannerSeverity, demotedBy })),
      ),
      time.at,
    ],
  });
  await tx.query(lookUpByIndex);
  await recomputeLocked(
    tx,
    orgId,
    rows.map(({ id }) => id),
  );
}
