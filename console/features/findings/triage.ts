import { type BulkOperation, type FindingUpdate, PreconditionFailedError } from '@assay/client';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { showError } from '../../ui/toasts.tsx';
import { undoBulk } from './bulk-undo.ts';
import { patchShown, renewCounts, showSaved } from './cache.ts';
import type { ListedFinding } from './listed-finding.ts';
import type { LoadedFinding } from './queries.ts';
import { offerUndo } from './undo.ts';
import { plural, statusNames } from './words.ts';

/** A change of one finding or many. Tags are added and removed only of many: one gets the tags that it shall have. */
export type Change = FindingUpdate & { add_tags?: string[]; remove_tags?: string[] };

export type Conflict = { finding: ListedFinding; change: FindingUpdate };

type Hooks = { onConflict: (conflict: Conflict) => void; me: { id: string; name: string; email: string } };

const loaded = (id: string) => queryClient.getQueryData<LoadedFinding>(['finding', id]);

const changesTags = ({ tags, add_tags, remove_tags }: Change) =>
  tags !== undefined || add_tags !== undefined || remove_tags !== undefined;

const tagsAfter = (
  finding: ListedFinding,
  { tags, add_tags: added = [], remove_tags: removed = [] }: Change,
): string[] => [...new Set([...(tags ?? finding.tags), ...added])].filter((tag) => !removed.includes(tag));

/** Returns a row as a change leaves it, until the server returns the row itself. */
function preview(finding: ListedFinding, change: Change, me: Hooks['me']): Partial<ListedFinding> {
  const { status, assignee, accepted_until } = change;
  const tags = changesTags(change) ? tagsAfter(finding, change) : undefined;
  return {
    ...(status !== undefined && { status }),
    ...(tags !== undefined && { tags }),
    ...(assignee === null && { assignee: null }),
    ...((assignee === me.id || assignee === me.email) && { assignee: me }),
    ...(accepted_until !== undefined && { accepted_until }),
  };
}

/** Returns the change that restores the row. Comments stay. */
function reverse(finding: ListedFinding, change: Change): FindingUpdate {
  return {
    ...(change.status !== undefined && {
      status: finding.status,
      ...(finding.status === 'accepted_risk' && { accepted_until: finding.accepted_until }),
    }),
    ...(changesTags(change) && { tags: finding.tags }),
    ...(change.assignee !== undefined && { assignee: finding.assignee?.id ?? null }),
  };
}

/** Describes a change that was made: "3 findings: triaged." */
export function describe(change: Change, count: number): string {
  const what = plural(count, 'finding');
  if (change.status) return `${what}: ${statusNames[change.status].toLowerCase()}.`;
  if (change.assignee !== undefined) return change.assignee === null ? `${what} unassigned.` : `${what} assigned.`;
  if (changesTags(change)) return `Tags of ${what} changed.`;
  return `Comment added to ${what}.`;
}

const named = (tags: readonly string[]) => `${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`;

/** Describes a change that is about to be made: "Set 3 findings to Triaged". */
export function describeBefore(change: Change, what: string, assignee: string | undefined): string {
  const { status, tags, add_tags: added = [], remove_tags: removed = [] } = change;
  if (status) return `Set ${what} to ${statusNames[status]}`;
  if (change.assignee === null) return `Unassign ${what}`;
  if (change.assignee !== undefined) return `Assign ${what}${assignee === undefined ? '' : ` to ${assignee}`}`;
  if (tags !== undefined) return tags.length === 0 ? `Remove all tags of ${what}` : `Set the ${named(tags)} on ${what}`;
  if (added.length > 0 && removed.length > 0) return `Add the ${named(added)} to ${what}, remove ${named(removed)}`;
  if (added.length > 0) return `Add the ${named(added)} to ${what}`;
  return removed.length > 0 ? `Remove the ${named(removed)} from ${what}` : `Comment on ${what}`;
}

/** Saves a change and returns the version after it. */
async function save(finding: ListedFinding, change: FindingUpdate, etag: string | null): Promise<string | null> {
  const call = assay.findings.update(finding.id, change, etag === null ? {} : { ifMatch: etag });
  const { data, response } = await call.withResponse();
  const saved = response.headers.get('etag');
  showSaved(data, saved);
  return saved;
}

/** Returns the decisions on a finding as text: two versions with different texts have a decision between them. */
const decidedOf = ({ status, tags, assignee, accepted_until }: ListedFinding): string =>
  JSON.stringify([status, tags.toSorted(), assignee?.id ?? null, accepted_until]);

/**
 * Returns the version in which a row is as the person sees it, read from the server unless the finding is loaded. A row that
 * is no longer so has none: then nothing matches, and the change is refused.
 */
async function versionSeen(row: ListedFinding, known: LoadedFinding | undefined): Promise<string | null> {
  if (known && decidedOf(known.finding) === decidedOf(row)) return known.etag;
  const { data, response } = await assay.findings.get(row.id).withResponse();
  return decidedOf(data) === decidedOf(row) ? response.headers.get('etag') : '"changed"';
}

/** The version that has taken the place of another by an undo: both hold the same decision. */
const restored = new Map<string, string>();
/** The number of an ETag, without the digest of the body. */
const numberOf = (etag: string) => etag.split('.', 1)[0]!;

function currentOf(etag: string): string {
  const next = restored.get(numberOf(etag));
  return next === undefined ? etag : currentOf(next);
}

/** Applies a change on the screen at once, and reverts it if the server refuses it. */
async function applyOne(finding: ListedFinding, change: FindingUpdate, hooks: Hooks, overwrite = false): Promise<void> {
  const known = loaded(finding.id);
  let etag: string | null;
  let saved: string | null;
  patchShown(new Set([finding.id]), (row) => preview(row, change, hooks.me));
  try {
    etag = overwrite ? null : await versionSeen(finding, known);
    saved = await save(finding, change, etag);
  } catch (error) {
    patchShown(new Set([finding.id]), () => finding);
    if (error instanceof PreconditionFailedError) hooks.onConflict({ finding, change });
    else showError(error);
    return;
  }
  renewCounts();
  const back = reverse(finding, change);
  if (Object.keys(back).length === 0) return;
  offerUndo(describe(change, 1), async () => {
    try {
      const again = await save(finding, back, saved && currentOf(saved));
      if (etag && again) restored.set(numberOf(etag), again);
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) throw error;
      hooks.onConflict({ finding, change: back });
      return 'Not undone: another person changed the finding meanwhile.';
    }
    renewCounts();
    return undefined;
  });
}

const maxIds = 1_000;

/** Changes many findings, and returns the operations by which that can be undone. */
async function saveMany(ids: string[], change: Change): Promise<BulkOperation[]> {
  const operations: BulkOperation[] = [];
  for (let start = 0; start < ids.length; start += maxIds) {
    const { operation } = await assay.findings.updateMany({ ids: ids.slice(start, start + maxIds), ...change });
    if (operation !== null) operations.push(operation);
  }
  return operations;
}

async function applyMany(findings: ListedFinding[], change: Change, hooks: Hooks): Promise<void> {
  const ids = findings.map(({ id }) => id);
  const before = new Map(findings.map((finding) => [finding.id, finding]));
  const restore = () => patchShown(new Set(ids), ({ id }) => before.get(id) ?? {});
  patchShown(new Set(ids), (row) => preview(row, change, hooks.me));
  const forget = () => {
    for (const id of ids) void queryClient.invalidateQueries({ queryKey: ['finding', id] });
    renewCounts();
  };
  let operations: BulkOperation[];
  try {
    operations = await saveMany(ids, change);
  } catch (error) {
    restore();
    showError(error);
    return;
  }
  forget();
  const undoable = operations.filter(({ undoable_until }) => undoable_until !== null);
  if (undoable.length === 0 || Object.keys(reverse(findings[0]!, change)).length === 0) return;
  offerUndo(describe(change, ids.length), async () => {
    const said: string[] = [];
    // Findings that somebody has changed since keep that change.
    for (const { id } of undoable) said.push(await undoBulk(id));
    return said.join(' ');
  });
}

/** Changes one finding or many, optimistically, and offers to undo it. */
export const applyChange = (findings: ListedFinding[], change: Change, hooks: Hooks): Promise<void> =>
  findings.length === 1 ? applyOne(findings[0]!, change, hooks) : applyMany(findings, change, hooks);

/** Applies a change although another person has changed the finding in the meantime. */
export const overwrite = ({ finding, change }: Conflict, hooks: Hooks): Promise<void> =>
  applyOne(finding, change, hooks, true);
