import { type FindingDetail, type FindingUpdate, PreconditionFailedError } from '@assay/client';
import { assay } from '../../api/client.ts';
import type { PendingChange, SeenFinding } from '../../api/pending-changes.ts';

type Decision = Pick<SeenFinding, 'status' | 'tags' | 'assignee' | 'accepted_until'>;

const textOf = (status: string, tags: readonly string[], assignee: string | null, until: string | null) =>
  JSON.stringify([status, tags.toSorted(), assignee, until]);

/** Returns the decisions on a finding as text. Different texts of two versions mean a decision in between. */
export const decidedOf = ({ status, tags, assignee, accepted_until }: Decision): string =>
  textOf(status, tags, assignee?.id ?? null, accepted_until);

/** Returns the decisions of a change in the same form. */
function wantedOf(seen: Decision, { status, tags, assignee, accepted_until }: FindingUpdate): string {
  const until = status === undefined ? seen.accepted_until : null;
  return textOf(
    status ?? seen.status,
    tags ?? seen.tags,
    assignee === undefined ? (seen.assignee?.id ?? null) : assignee,
    accepted_until === undefined ? until : accepted_until,
  );
}

const isComment = (change: FindingUpdate) => Object.keys(change).join() === 'comment';

/** Sends a change that is refused unless the finding has the version. A comment never conflicts. */
async function send({ seen, change, key }: Pick<PendingChange, 'seen' | 'change' | 'key'>, version: number) {
  if (!isComment(change)) return assay.findings.update(seen.id, change, { ifMatch: `"${version}"` });
  await assay.findings.comment(seen.id, { comment: change.comment! }, { idempotencyKey: key });
  return assay.findings.get(seen.id);
}

/**
 * Saves a change. Returns the resulting finding or, if somebody decided otherwise since `seen`, the current finding.
 * Changes by scans and comments are no conflict. A change whose response was lost is not applied twice.
 */
export async function saveChange(
  pending: Omit<PendingChange, 'state'>,
): Promise<{ isConflict: boolean; finding: FindingDetail }> {
  const { seen, change, wasSent } = pending;
  let { version } = seen;
  for (;;) {
    try {
      return { isConflict: false, finding: await send(pending, version) };
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) throw error;
    }
    const finding = await assay.findings.get(seen.id);
    const isMade = decidedOf(finding) === wantedOf(seen, change) && (wasSent || change.comment === undefined);
    if (isMade) return { isConflict: false, finding };
    if (decidedOf(finding) !== decidedOf(seen)) return { isConflict: true, finding };
    version = finding.version;
  }
}
