import { findAliasesVersion } from '../findings/aliases/alias-queries.ts';
import { type Db, sentTogether } from '../platform/postgres/database.ts';
import { createMatcher, type Matcher } from './matching.ts';
import { findActiveVersion, listActive } from './queries.ts';

const maxKept = 16;
const kept = new Map<string, { version: string; matcher: Matcher }>();

/**
 * Returns the matcher of the decisions that may apply to these findings. The batches of a merge share one: with 1,000
 * decisions, reading and indexing them anew took a twentieth of the time of a batch. It is kept for as long as neither the
 * decisions nor the aliases of identifiers change. The transaction holds the decisions (`holdDecisions`).
 */
export async function findMatcher(tx: Db, orgId: string, findingIds: string[]): Promise<Matcher> {
  const [active, aliases] = await sentTogether([findActiveVersion(tx, orgId), findAliasesVersion(tx, orgId)]);
  const create = async () => createMatcher(tx, orgId, await listActive(tx, orgId, findingIds));
  // Those of other repositories would have to be kept as well.
  if (active.hasOwn) return create();
  const version = `${active.version} ${aliases}`;
  const found = kept.get(orgId);
  const matcher = found?.version === version ? found.matcher : await create();
  kept.delete(orgId);
  kept.set(orgId, { version, matcher });
  // The first one is the least recently used.
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
  return matcher;
}
