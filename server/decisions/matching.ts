import { expandAliases } from '../findings/aliases/resolve-aliases.ts';
import type { Db } from '../platform/postgres/database.ts';
import { origins } from './origin.ts';
import { type CandidateDecision, listCandidates } from './own-queries.ts';
import { type ActiveDecision, findDecidable, type Keys } from './queries.ts';
import { anchorOf, compileScope, type ScopedFinding } from './scope.ts';

/** Decisions with an index; `find` returns those that apply to a finding. */
export type Matcher<One extends ActiveDecision = ActiveDecision> = {
  keys: Keys;
  isEmpty: boolean;
  find(finding: JudgedFinding): One[];
};

type JudgedFinding = ScopedFinding & { severity: number };

const precedenceOf = ({ origin }: ActiveDecision): number => origins.indexOf(origin);

/** Sorts decisions, the prevailing one first: people before repositories before tools, then the narrowest scope, then the newest. */
export const inOrder = <One extends ActiveDecision>(decisions: One[]): One[] =>
  decisions.sort(
    (left, right) => precedenceOf(left) - precedenceOf(right) || right.rank - left.rank || right.made - left.made,
  );

/**
 * Returns whether a decision may hold for a finding that a person took out of all decisions up to `left`. A repository
 * or a tool can't overrule that person with a new entry, unless somebody approves it. A demotion stays: it sets no
 * status.
 */
export const isAfter = ({ made, origin, isApproved, outcome }: ActiveDecision, left: number | null): boolean =>
  left === null || outcome === 'demoted' || (made > left && (origin === 'person' || isApproved));

/**
 * Prepares decisions for lookup by the values of their most selective field, so that a finding is compared with few of
 * them. `find` returns those that apply, the prevailing one first (`inOrder`).
 */
export async function createMatcher<One extends ActiveDecision>(
  db: Db,
  orgId: string,
  decisions: One[],
): Promise<Matcher<One>> {
  const identifiers = decisions.flatMap(({ scope }) => scope.identifier ?? []);
  const aliases = await expandAliases(db, orgId, [...new Set(identifiers)]);
  const byKey = { finding: new Map(), rule: new Map(), identifier: new Map(), package: new Map() } as Record<
    keyof Keys,
    Map<string, Array<{ decision: One; holds: (finding: JudgedFinding) => boolean }>>
  >;
  for (const decision of decisions) {
    // Most decisions concern nothing in a batch: a scope is compiled for its first candidate.
    let isInScope: ReturnType<typeof compileScope> | null = null;
    const below = decision.belowSeverity ?? Number.POSITIVE_INFINITY;
    const holds = (finding: JudgedFinding) => {
      if (finding.severity >= below) return false;
      isInScope ??= compileScope(decision.scope, aliases);
      return isInScope(finding);
    };
    const entry = { decision, holds };
    const { anchor, keys } = anchorOf(decision.scope, aliases);
    for (const key of new Set(keys)) {
      const others = byKey[anchor].get(key);
      if (others) others.push(entry);
      else byKey[anchor].set(key, [entry]);
    }
  }
  const keysOf = (anchor: keyof Keys) => [...byKey[anchor].keys()];
  return {
    keys: {
      ...{ finding: keysOf('finding'), rule: keysOf('rule') },
      ...{ identifier: keysOf('identifier'), package: keysOf('package') },
    },
    isEmpty: decisions.length === 0,
    find(finding) {
      const candidates = [
        ...(byKey.finding.get(finding.id) ?? []),
        ...(byKey.rule.get(finding.ruleId) ?? []),
        ...finding.names.flatMap((name) => byKey.identifier.get(name) ?? []),
        ...(byKey.package.get(finding.packageName ?? '') ?? []),
      ];
      const holding = new Set(candidates.filter(({ holds }) => holds(finding)).map(({ decision }) => decision));
      return inOrder([...holding]);
    },
  };
}

/** Lists the decisions in whose scope a finding is besides the one that holds, in the order in which they would take over. */
export async function listAlso(db: Db, orgId: string, id: string): Promise<CandidateDecision[]> {
  const candidates = await listCandidates(db, orgId, id);
  if (candidates.length === 0) return [];
  const finding = await findDecidable(db, orgId, id);
  if (!finding) return [];
  const matcher = await createMatcher(db, orgId, candidates);
  const others = matcher.find(finding).filter((decision) => isAfter(decision, finding.leftDecisions));
  const named = finding.decisionId ?? finding.demotedBy;
  return others.filter(({ id }) => id !== named);
}
