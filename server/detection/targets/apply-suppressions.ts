import type { ScannedDetection } from '@assay/scanner/contract/detector.ts';
import { severityRank } from '@assay/scanner/contract/severity.ts';
import { storableText } from '@assay/scanner/platform/storable-text.ts';
import { findPolicy } from '../../findings/policy-queries.ts';
import type { Sighting } from '../../findings/record-detections.ts';
import { triageFindings } from '../../findings/triage-findings.ts';
import { listUndecided } from '../../findings/triage-queries.ts';
import type { Db } from '../../platform/postgres/database.ts';

/**
 * Applies the decisions in a tool's results, with their reasons, unless a person has already decided here or the policy asks
 * for the approval of a second person. A file
 * that `keepsFacts` of known findings decides only on findings that it has created.
 */
export async function applySuppressions(
  tx: Db,
  orgId: string,
  sighting: Sighting,
  batch: Array<Pick<ScannedDetection, 'fingerprint' | 'suppression'>>,
): Promise<void> {
  const suppressed = new Map(batch.filter((one) => one.suppression).map((one) => [one.fingerprint, one.suppression!]));
  if (suppressed.size === 0) return;
  const undecided = await listUndecided(
    tx,
    orgId,
    sighting,
    [...suppressed.keys()],
    sighting.keepsFacts ? sighting.scanId : null,
  );
  const { approval_from: from } = (await findPolicy(tx, orgId)).decisions;
  const below = from === null ? Number.POSITIVE_INFINITY : severityRank[from];
  const closable = undecided.filter(({ severity }) => severity < below);
  const decisions = Map.groupBy(closable, ({ fingerprint }) => JSON.stringify(suppressed.get(fingerprint)));
  for (const findings of decisions.values()) {
    const { status, reason } = suppressed.get(findings[0]!.fingerprint)!;
    const comment = storableText(reason.trim().slice(0, 10_000)) || undefined;
    await triageFindings(
      tx,
      orgId,
      null,
      findings.map((finding) => finding.id),
      { status, comment },
    );
  }
}
