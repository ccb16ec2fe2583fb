import { APIConnectionError, APIStatusError, type FindingDetail, type FindingUpdate } from '@assay/client';
import { assay } from '../../api/client.ts';
import { isSignedOut } from '../../api/errors.ts';
import { isOnline, setOnline } from '../../api/online.ts';
import {
  addConflict,
  addWaiting,
  findPending,
  isPendingOf,
  noteSent,
  type PendingChange,
  readWaiting,
  rebaseWaiting,
  removePending,
  type SeenFinding,
} from '../../api/pending-changes.ts';
import { showError, showToast } from '../../ui/toasts.tsx';
import { patchShown, renewCounts, showSaved } from './cache.ts';
import { describeOne, type Person, preview, reverse } from './changes.ts';
import { saveChange } from './save.ts';
import { inTurn } from './turns.ts';
import { offerUndo } from './undo.ts';
import { plural } from './words.ts';

export type Hooks = { onConflict: (conflict: PendingChange) => void; me: Person };

const seenOf = ({ id, title, version, status, tags, assignee, accepted_until }: SeenFinding): SeenFinding => ({
  id,
  title,
  version,
  status,
  tags,
  assignee,
  accepted_until,
});

/** Restores a finding's decisions, except those that a later change replaced. */
const showAgain = (seen: SeenFinding) => {
  const { id, title: _, ...decided } = seenOf(seen);
  patchShown(new Set([id]), () => decided);
};

/** Saves a change and shows the resulting finding. Returns the conflict that prevents it, if any. */
async function saveOne(
  pending: Omit<PendingChange, 'state'>,
): Promise<{ finding: FindingDetail; conflict?: PendingChange }> {
  const { isConflict, finding } = await inTurn(pending.seen.id, () => saveChange(pending));
  showSaved(finding);
  renewCounts();
  return isConflict ? { finding, conflict: addConflict(seenOf(finding), pending.change) } : { finding };
}

/** The resulting findings of applied waiting changes, by the keys of the changes. */
const made = new Map<string, FindingDetail>();
/** The change in flight. */
let sending: { key: string; end: Promise<void> } | null = null;

/** Cancels a waiting change, or undoes it if it has been applied meanwhile. */
async function takeBack({ key, seen, change }: PendingChange, hooks: Hooks): Promise<string | undefined> {
  if (sending?.key === key) await sending.end;
  const after = made.get(key);
  if (after) return undo(after, reverse(seen, change), hooks);
  if (!removePending(key)) return 'Nothing to undo: the change was not made.';
  showAgain(seen);
  return undefined;
}

/** Stores a change until the connection is back. */
function hold(pending: Omit<PendingChange, 'state'>, hooks: Hooks): void {
  const { seen, change } = pending;
  if (!addWaiting(pending)) {
    showAgain(seen);
    showToast('Not changed: 100 changes are already waiting for the connection.');
    return;
  }
  offerUndo(`${describeOne(change, seen.title)} It will be sent when the connection is back.`, () =>
    takeBack({ ...pending, state: 'waiting' }, hooks),
  );
  void sendWaiting();
}

/** Applies a change now, or stores it for later. Returns the resulting finding; null if the change was not applied. */
async function makeOrHold(seen: SeenFinding, change: FindingUpdate, hooks: Hooks): Promise<FindingDetail | null> {
  const pending = { key: crypto.randomUUID(), seen: seenOf(seen), change, wasSent: false };
  if (!isOnline() || readWaiting().length > 0) {
    hold(pending, hooks);
    return null;
  }
  try {
    const { finding, conflict } = await saveOne(pending);
    if (conflict) hooks.onConflict(conflict);
    return conflict ? null : finding;
  } catch (error) {
    if (error instanceof APIConnectionError) {
      setOnline(false);
      hold({ ...pending, wasSent: true }, hooks);
    } else {
      showAgain(seen);
      showError(error);
    }
    return null;
  }
}

async function undo(after: FindingDetail, back: FindingUpdate, hooks: Hooks): Promise<string | undefined> {
  if (await makeOrHold(after, back, hooks)) return undefined;
  return findPending(after.id)?.state === 'waiting'
    ? 'It will be undone when the connection is back.'
    : 'Not undone: another person has changed the finding since.';
}

/** Applies a change on the screen at once, and reverts it if the server refuses it. */
export async function changeOne(finding: SeenFinding, change: FindingUpdate, hooks: Hooks): Promise<void> {
  const earlier = findPending(finding.id);
  if (earlier?.state === 'conflict') removePending(earlier.key);
  patchShown(new Set([finding.id]), (row) => preview(row, change, hooks.me));
  const after = await makeOrHold(finding, change, hooks);
  const back = reverse(finding, change);
  if (after && Object.keys(back).length > 0)
    offerUndo(describeOne(change, finding.title), () => undo(after, back, hooks));
}

/** Sends a waiting change. Returns whether it was applied; throws if it must wait longer. */
async function sendOne(pending: PendingChange): Promise<boolean> {
  noteSent(pending.key);
  try {
    const { finding, conflict } = await saveOne(pending);
    if (conflict) return false;
    made.set(pending.key, finding);
    rebaseWaiting(seenOf(finding));
    return true;
  } catch (error) {
    const isRefused = error instanceof APIStatusError && error.status < 500 && ![401, 408, 429].includes(error.status);
    if (!isRefused) throw error;
    showAgain(pending.seen);
    showToast(`Not changed: ${pending.seen.title}. ${error.message}`);
    return false;
  }
}

const retryMs = 5_000;

/** Sends the waiting changes in succession while the server can be reached. */
export async function sendWaiting(): Promise<void> {
  if (sending || !isOnline() || readWaiting().length === 0) return;
  let end = () => {};
  sending = { key: '', end: new Promise((resolve) => (end = resolve)) };
  const total = { made: 0, conflicts: 0 };
  try {
    // Another tab may have changed the organization or the person of the session.
    const { id, organization } = await assay.profile.get();
    if (!isPendingOf(id, organization.id)) return;
    for (let [next] = readWaiting(); next; [next] = readWaiting()) {
      sending.key = next.key;
      const isMade = await sendOne(next);
      removePending(next.key);
      total[isMade ? 'made' : 'conflicts'] += 1;
    }
  } catch (error) {
    if (error instanceof APIConnectionError) setOnline(false);
    else if (!isSignedOut(error)) setTimeout(() => void sendWaiting(), retryMs);
  } finally {
    end();
    sending = null;
  }
  const left = total.conflicts === 0 ? '' : ` ${plural(total.conflicts, 'change')} not made.`;
  if (total.made + total.conflicts > 0) showToast(`${plural(total.made, 'change')} that waited made.${left}`);
}
