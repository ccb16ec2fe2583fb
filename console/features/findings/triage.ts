import { type FindingUpdate, PreconditionFailedError } from '@assay/client';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { showError } from '../../ui/toasts.tsx';
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

async function save(finding: ListedFinding, change: FindingUpdate, etag: string | null): Promise<void> {
  const call = assay.findings.update(finding.id, change, etag === null ? {} : { ifMatch: etag });
  const { data, response } = await call.withResponse();
  showSaved(data, response.headers.get('etag'));
}

/** Applies a change on the screen at once, and reverts it if the server refuses it. */
async function applyOne(finding: ListedFinding, change: FindingUpdate, hooks: Hooks, overwrite = false): Promise<void> {
  const etag = overwrite ? null : (loaded(finding.id)?.etag ?? null);
  patchShown(new Set([finding.id]), (row) => preview(row, change, hooks.me));
  try {
    await save(finding, change, etag);
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
    await save(finding, back, null);
    renewCounts();
    return undefined;
  });
}

/** Groups findings by the change that restores each, so that one request undoes many. */
function reverseMany(findings: ListedFinding[], change: Change): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const finding of findings) {
    const key = JSON.stringify(reverse(finding, change));
    groups.set(key, [...(groups.get(key) ?? []), finding.id]);
  }
  return groups;
}

const maxIds = 1_000;

async function saveMany(ids: string[], change: Change): Promise<void> {
  for (let start = 0; start < ids.length; start += maxIds) {
    await assay.findings.updateMany({ ids: ids.slice(start, start + maxIds), ...change });
  }
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
  try {
    await saveMany(ids, change);
  } catch (error) {
    restore();
    showError(error);
    return;
  }
  forget();
  const groups = reverseMany(findings, change);
  if (groups.has('{}')) return;
  offerUndo(describe(change, ids.length), async () => {
    for (const [back, some] of groups) await saveMany(some, JSON.parse(back) as FindingUpdate);
    restore();
    forget();
    return undefined;
  });
}

/** Changes one finding or many, optimistically, and offers to undo it. */
export const applyChange = (findings: ListedFinding[], change: Change, hooks: Hooks): Promise<void> =>
  findings.length === 1 ? applyOne(findings[0]!, change, hooks) : applyMany(findings, change, hooks);

/** Applies a change although another person has changed the finding in the meantime. */
export const overwrite = ({ finding, change }: Conflict, hooks: Hooks): Promise<void> =>
  applyOne(finding, change, hooks, true);
