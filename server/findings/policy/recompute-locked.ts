import { severityName } from '@assay/scanner/contract/severity.ts';
import { isInTests } from '@assay/scanner/contract/test-path.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { followAliases, unnamedAdvisories } from '../aliased-facts.ts';
import { resolveAliases } from '../aliases/resolve-aliases.ts';
import { contextBits } from '../fact-bits.ts';
import { weaknessesOf } from '../standards/standards.ts';
import { partOfFacts } from '../urgency.ts';
import { type LockedFacts, lockForRecomputation, type UrgencyRow, updateUrgency } from './recompute-queries.ts';

type Heads = Awaited<ReturnType<typeof resolveAliases>>;

function urgencyOf({ id, severity, ruleId, cvss, fixAvailable, ...facts }: LockedFacts, heads: Heads): UrgencyRow {
  const inTests = isInTests(facts.path, facts.places);
  const part = partOfFacts({ severity: severityName(severity), cvss, inTests, fixAvailable });
  return {
    id,
    severity,
    urgency_points: part.points,
    urgency_bits: part.bits | contextBits(facts.path, facts.places) | facts.reportedBits,
    ...followAliases(facts, heads),
    weaknesses: weaknessesOf(facts.identifiers, ruleId),
  };
}

/** Locks these findings and computes their urgency again. Run `lookUpByIndex` first, in the same transaction. */
export async function recomputeLocked(tx: Db, orgId: string, ids: string[]): Promise<void> {
  const locked = await lockForRecomputation(tx, orgId, ids);
  const heads = await resolveAliases(tx, orgId, [...new Set(locked.flatMap(unnamedAdvisories))]);
  await updateUrgency(
    tx,
    orgId,
    locked.map((facts) => urgencyOf(facts, heads)),
  );
}
