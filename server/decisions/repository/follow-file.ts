import { rankOf } from '@assay/scanner/contract/scope-rank.ts';
import { decisionFile } from '@assay/scanner/contract/suppression.ts';
import { type Blame, blameLines } from '@assay/scanner/repository/blame.ts';
import { type FileDecision, type FileDecisions, fileWarning } from '@assay/scanner/repository/decision-file.ts';
import { noteDecisionsRead } from '../../data-sources/queries.ts';
import type { Policy } from '../../findings/policy.ts';
import { findPolicy } from '../../findings/policy-queries.ts';
import { autocommit, type Database, type Db } from '../../platform/postgres/database.ts';
import { listReaching } from '../apply-decisions.ts';
import { maxActive, refusalOf, severityToApprove } from '../approval.ts';
import type { EndReason } from '../end-conditions.ts';
import { enqueueFollowing } from '../job-type.ts';
import { type ActiveDecision, lockDecisions } from '../queries.ts';
import { releaseEnded } from '../release-findings.ts';
import { limitOfRepository, listOfFile, type RepositoryDecision } from './queries.ts';
import { endOne, entryOf, findRoom, keyOf, makeOfRepository, type Room, standingOf, stepsFor } from './standing.ts';

/** The state of a repository that a scan reads. */
export type ReadRepository = {
  dataSourceId: string;
  /** When the scan began. */
  startedAt: Date;
  access: { home: string; gitDirectory: string; signal?: AbortSignal };
  commit: string;
  isShallow: boolean;
};

type Wanted = FileDecision & { key: string };

/** Returns the decisions of the file that the policy allows, by key, and warnings about the others. */
function allowed(file: FileDecisions | null, policy: Policy): { wanted: Map<string, Wanted>; warnings: string[] } {
  const wanted = new Map<string, Wanted>();
  const warnings: string[] = [];
  if (policy.decisions.repository_file === 'off') {
    if (file && file.decisions.length > 0)
      warnings.push(
        fileWarning(null, 'The policy of the organization ignores it. No decision of the file has an effect.'),
      );
    return { wanted, warnings };
  }
  for (const decision of file?.decisions ?? []) {
    const { outcome, justification, reason, scope, until, first } = decision;
    const refusal = refusalOf(policy, decision);
    if (refusal) {
      const { field, why } = refusal;
      const message = `${why}${field === 'until' ? ': `until` must say so' : ''}. The decision has no effect.`;
      warnings.push(fileWarning(first, message));
      continue;
    }
    const key = keyOf({ outcome, justification, reason, scope, until });
    if (!wanted.has(key)) wanted.set(key, { ...decision, key });
  }
  return { wanted, warnings };
}

type Change = {
  wanted: ReadonlyMap<string, Wanted>;
  rows: RepositoryDecision[];
  policy: Policy;
};

const isLive = ({ status }: RepositoryDecision): boolean => status === 'active' || status === 'requested';

/** Returns whether the decisions of the repository differ from its file. */
const differs = ({ wanted, rows, policy }: Change, needing: ReadonlySet<string>): boolean =>
  rows.some((row) => isLive(row) && !wanted.has(row.key)) ||
  [...wanted.values()].some(({ key, outcome }) => {
    const standing = standingOf(rows.filter((row) => row.key === key));
    const { ends, isMade, isAsked } = stepsFor(standing, effectOf(policy), needing.has(key));
    const hasOtherLimit = standing.active && standing.active.belowSeverity !== severityToApprove(policy, outcome);
    return ends.length > 0 || isMade || isAsked || hasOtherLimit;
  });

const effectOf = ({ decisions: { repository_file: effect } }: Policy) => (effect === 'request' ? effect : 'decide');

const scopeOf = ({ scope }: FileDecision, dataSourceId: string) => ({ ...scope, data_source: [dataSourceId] });

/** Returns the keys of decisions with findings in their scope that need the approval of a second person. */
async function listNeeding(
  db: Db,
  orgId: string,
  { wanted, policy }: Change,
  dataSourceId: string,
): Promise<Set<string>> {
  const from = severityToApprove(policy, 'accepted_risk');
  if (from === null || wanted.size === 0) return new Set();
  const drafts = [...wanted.values()].map((decision): ActiveDecision => {
    const scope = scopeOf(decision, dataSourceId);
    const { key: id, outcome, until } = decision;
    const unmade = { made: 0, endsWhen: null, belowSeverity: null, origin: 'repository', isApproved: false } as const;
    return { id, outcome, scope, rank: rankOf(scope), until, ...unmade };
  });
  return listReaching(db, orgId, drafts, from);
}

/**
 * Makes the decisions of a repository those of its file (null without one), as the policy says: entries that are gone end
 * theirs, new ones make or request one. A scan that a newer one has overtaken changes nothing. Returns warnings about
 * entries without effect.
 */
export async function followFile(
  database: Database,
  orgId: string,
  repository: ReadRepository,
  file: FileDecisions | null,
): Promise<string[]> {
  const { dataSourceId, startedAt, access, commit, isShallow } = repository;
  const db = autocommit(database, orgId);
  const policy = await findPolicy(db, orgId);
  const { wanted, warnings } = allowed(file, policy);
  const rows = await listOfFile(db, orgId, dataSourceId);
  const change = { wanted, rows, policy };
  const needing = await listNeeding(db, orgId, change, dataSourceId);
  const isUnchanged = !differs(change, needing);
  const isNewest = await database.transaction(orgId, (tx) => noteDecisionsRead(tx, orgId, dataSourceId, startedAt));
  if (isUnchanged || !isNewest) return [...(file?.warnings ?? []), ...warnings];
  const known = new Set(rows.map(({ key }) => key));
  const fresh = [...wanted.values()].filter(({ key }) => !known.has(key));
  const blames = await blameLines(access, { commit, path: decisionFile, isShallow }, fresh);
  const blamed = new Map(fresh.map(({ key }, index) => [key, blames[index] ?? null]));
  await database.transaction(orgId, async (tx) => {
    await lockDecisions(tx, orgId);
    // Another scan may have begun meanwhile.
    if (!(await noteDecisionsRead(tx, orgId, dataSourceId, startedAt))) return;
    const now = { wanted, rows: await listOfFile(tx, orgId, dataSourceId), policy: await findPolicy(tx, orgId) };
    warnings.push(...(await write(tx, orgId, dataSourceId, now, { needing, blamed })));
  });
  return [...(file?.warnings ?? []), ...warnings];
}

type Found = { needing: ReadonlySet<string>; blamed: ReadonlyMap<string, Blame | null> };

async function write(tx: Db, orgId: string, dataSourceId: string, change: Change, found: Found): Promise<string[]> {
  const { wanted, rows, policy } = change;
  const warnings: string[] = [];
  const ended = new Map<string, string>();
  const end = ({ id }: RepositoryDecision, because: EndReason) =>
    endOne(tx, orgId, { id, isOfFile: true }, because, ended);
  const isOff = policy.decisions.repository_file === 'off';
  for (const row of rows) if (!wanted.has(row.key) && isLive(row)) await end(row, isOff ? 'policy' : 'removed');
  const room = await findRoom(tx, orgId, dataSourceId);
  const byKey = Map.groupBy(rows, ({ key }) => key);
  for (const decision of isOff ? [] : wanted.values()) {
    const standing = standingOf(byKey.get(decision.key) ?? []);
    const limit = severityToApprove(policy, decision.outcome);
    const steps = stepsFor(standing, effectOf(policy), found.needing.has(decision.key));
    for (const { row, because } of steps.ends) await end(row, because);
    const stays = standing.active && !steps.ends.some(({ row }) => row.id === standing.active!.id);
    if (stays && standing.active!.belowSeverity !== limit) {
      await limitOfRepository(tx, orgId, standing.active!.id, limit);
      await enqueueFollowing(tx, orgId, standing.active!.id, null);
    }
    const made = newOf(decision, dataSourceId, limit, found);
    if (steps.isMade) warnings.push(...(await make(tx, orgId, made, room, decision, false)));
    if (steps.isAsked)
      warnings.push(...(await make(tx, orgId, { ...made, belowSeverity: null }, room, decision, true)));
  }
  await releaseEnded(tx, orgId, ended, null);
  return warnings;
}

const newOf = (decision: Wanted, dataSourceId: string, limit: number | null, { blamed }: Found) => {
  const { outcome, justification, reason, until, first, key } = decision;
  const scope = scopeOf(decision, dataSourceId);
  return {
    ...{ outcome, justification, reason, scope, rank: rankOf(scope), until, belowSeverity: limit, dataSourceId, key },
    ...{ entry: entryOf(decisionFile, first, blamed.get(key) ?? null), findingId: null },
  };
};

async function make(
  tx: Db,
  orgId: string,
  made: ReturnType<typeof newOf>,
  room: Room,
  { first }: Wanted,
  isRequest: boolean,
): Promise<string[]> {
  const kind = isRequest ? 'requests' : 'decisions';
  if (room[kind] <= 0) {
    const full = isRequest
      ? 'There are too many open requests of repositories'
      : `The repositories of the organization have ${maxActive} decisions, the most there can be`;
    return [fileWarning(first, `${full}. The decision has no effect.`)];
  }
  room[kind] -= 1;
  const id = await makeOfRepository(tx, orgId, made, { isRequest });
  if (!isRequest) await enqueueFollowing(tx, orgId, id, null);
  return [];
}
