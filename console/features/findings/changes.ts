import type { FindingUpdate } from '@assay/client';
import type { ListedFinding } from './listed-finding.ts';
import { plural, statusNames } from './words.ts';

/** A change of one finding or many. For many, tags are added and removed; for one, the tags are replaced. */
export type Change = FindingUpdate & { add_tags?: string[]; remove_tags?: string[] };

type Decided = Pick<ListedFinding, 'status' | 'tags' | 'assignee' | 'accepted_until'>;

export type Person = { id: string; name: string; email: string };

const changesTags = ({ tags, add_tags, remove_tags }: Change) =>
  tags !== undefined || add_tags !== undefined || remove_tags !== undefined;

const tagsAfter = (finding: Decided, { tags, add_tags: added = [], remove_tags: removed = [] }: Change): string[] =>
  [...new Set([...(tags ?? finding.tags), ...added])].filter((tag) => !removed.includes(tag));

/** Returns the expected row after a change, until the server returns the actual one. */
export function preview(finding: ListedFinding, change: Change, me: Person): Partial<ListedFinding> {
  const { status, assignee, accepted_until } = change;
  const tags = changesTags(change) ? tagsAfter(finding, change) : undefined;
  return {
    ...(status !== undefined && { status, accepted_until: null }),
    ...(tags !== undefined && { tags }),
    ...(assignee === null && { assignee: null }),
    ...((assignee === me.id || assignee === me.email) && { assignee: me }),
    ...(accepted_until !== undefined && { accepted_until }),
  };
}

/** Converts a change of many findings into a change of this finding. */
export function asChangeOfOne(finding: Decided, change: Change): FindingUpdate {
  const { add_tags: _added, remove_tags: _removed, ...rest } = change;
  return changesTags(change) ? { ...rest, tags: tagsAfter(finding, change) } : rest;
}

/** Returns the change that restores the row. Comments stay. */
export function reverse(finding: Decided, change: Change): FindingUpdate {
  return {
    ...(change.status !== undefined && {
      status: finding.status,
      ...(finding.status === 'accepted_risk' && { accepted_until: finding.accepted_until }),
    }),
    ...(changesTags(change) && { tags: finding.tags }),
    ...(change.assignee !== undefined && { assignee: finding.assignee?.id ?? null }),
  };
}

const maxTitle = 80;
const shortened = (title: string) => (title.length > maxTitle ? `${title.slice(0, maxTitle - 1)}…` : title);

/** Describes an applied change of one finding, with its title: "Triaged: SQL injection in login.js". */
export function describeOne({ status, assignee, ...rest }: Change, title: string): string {
  const name = shortened(title);
  if (status) return `${statusNames[status]}: ${name}.`;
  if (assignee !== undefined) return `${assignee === null ? 'Unassigned' : 'Assigned'}: ${name}.`;
  return `${changesTags(rest) ? 'Tags changed' : 'Comment added'}: ${name}.`;
}

/** Describes an applied change: "3 findings: triaged." */
export function describe(change: Change, count: number): string {
  const what = plural(count, 'finding');
  if (change.status) return `${what}: ${statusNames[change.status].toLowerCase()}.`;
  if (change.assignee !== undefined) return change.assignee === null ? `${what} unassigned.` : `${what} assigned.`;
  if (changesTags(change)) return `Tags of ${what} changed.`;
  return `Comment added to ${what}.`;
}

const named = (tags: readonly string[]) => `${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`;

/** Describes a change before it is applied: "Set 3 findings to Triaged". */
export function describeBefore(change: Change, what: string, assignee: string | undefined): string {
  const { status, tags, add_tags: added = [], remove_tags: removed = [] } = change;
  if (status) return `Set ${what} to ${statusNames[status]}`;
  if (change.assignee === null) return `Unassign ${what}`;
  if (change.assignee !== undefined) return `Assign ${what}${assignee === undefined ? '' : ` to ${assignee}`}`;
  if (tags !== undefined)
    return tags.length === 0 ? `Remove all tags from ${what}` : `Set the ${named(tags)} on ${what}`;
  if (added.length > 0 && removed.length > 0) return `Add the ${named(added)} to ${what}, remove ${named(removed)}`;
  if (added.length > 0) return `Add the ${named(added)} to ${what}`;
  return removed.length > 0 ? `Remove the ${named(removed)} from ${what}` : `Comment on ${what}`;
}
