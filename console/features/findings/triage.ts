import type { BulkOperation } from '@assay/client';
import { assay } from '../../api/client.ts';
import { isOnline } from '../../api/online.ts';
import { queryClient } from '../../api/query-client.ts';
import { addConflict } from '../../api/unmade-changes.ts';
import { showError, showToast } from '../../ui/toasts.tsx';
import { undoBulk } from './bulk-undo.ts';
import { patchShown, renewCounts, showSaved } from './cache.ts';
import { changeOne, type Hooks } from './change-one.ts';
import { asChangeOfOne, type Change, describe, type Person, preview, reverse } from './changes.ts';
import type { ListedFinding } from './listed-finding.ts';
import { decidedOf } from './save.ts';
import { awaitBeforeUndo, offerUndo } from './undo.ts';
import { formatCount } from './words.ts';

const maxIds = 1_000;

type Saved = { operations: BulkOperation[]; conflicts: string[] };

/** Changes many findings, each in the version that its row has. Returns what can be undone, and what was left out. */
async function saveMany(findings: ListedFinding[], change: Change): Promise<Saved> {
  const saved: Saved = { operations: [], conflicts: [] };
  for (let start = 0; start < findings.length; start += maxIds) {
    const part = findings.slice(start, start + maxIds);
    const versions = Object.fromEntries(part.map(({ id, version }) => [id, version]));
    const ids = Object.keys(versions);
    const { operation, conflicts } = await assay.findings.updateMany({ ids, versions, ...change });
    if (operation !== null) saved.operations.push(operation);
    saved.conflicts.push(...conflicts);
  }
  return saved;
}

/** At most this many findings that were left out are looked at. */
const maxRead = 100;

/**
 * Changes the findings that were left out although nobody decided on them: scans and comments make versions too. Marks the
 * others. Returns the rest as `saveMany` does.
 */
async function saveLeftOut(rows: ListedFinding[], change: Change): Promise<Saved> {
  const read = await Promise.all(rows.slice(0, maxRead).map(({ id }) => assay.findings.get(id)));
  const isSame = (finding: ListedFinding) =>
    decidedOf(finding) === decidedOf(rows.find(({ id }) => id === finding.id)!);
  const again = read.filter(isSame);
  const saved = again.length === 0 ? { operations: [], conflicts: [] } : await saveMany(again, change);
  for (const finding of read.filter((one) => !isSame(one))) {
    showSaved(finding);
    addConflict(finding, asChangeOfOne(finding, change));
  }
  const changed = new Set(again.map(({ id }) => id));
  const conflicts = rows.map(({ id }) => id).filter((id) => !changed.has(id) || saved.conflicts.includes(id));
  return { operations: saved.operations, conflicts };
}

async function changeMany(findings: ListedFinding[], change: Change, me: Person): Promise<void> {
  if (!isOnline()) {
    showToast('Changes of several findings need the connection. Nothing was changed.');
    return;
  }
  const before = new Map(findings.map((finding) => [finding.id, finding]));
  const restore = (ids: Iterable<string>) => patchShown(new Set(ids), ({ id }) => before.get(id) ?? {});
  patchShown(new Set(before.keys()), (row) => preview(row, change, me));
  let saved: Saved;
  try {
    saved = await saveMany(findings, change);
    if (saved.conflicts.length > 0) {
      restore(saved.conflicts);
      const more = await saveLeftOut(
        saved.conflicts.map((id) => before.get(id)!),
        change,
      );
      saved = { operations: [...saved.operations, ...more.operations], conflicts: more.conflicts };
    }
  } catch (error) {
    restore(before.keys());
    showError(error);
    return;
  }
  for (const id of before.keys()) void queryClient.invalidateQueries({ queryKey: ['finding', id] });
  renewCounts();
  const left = saved.conflicts.length;
  const meanwhile = `${formatCount(left)} ${left === 1 ? 'was changed by another person meanwhile and stays' : 'were changed by other people meanwhile and stay'} so.`;
  const text = [describe(change, findings.length - left), ...(left === 0 ? [] : [meanwhile])].join(' ');
  const undoable = saved.operations.filter(({ undoable_until }) => undoable_until !== null);
  if (undoable.length === 0 || Object.keys(reverse(findings[0]!, change)).length === 0) {
    if (left > 0) showToast(text);
    return;
  }
  offerUndo(text, async () => {
    const said: string[] = [];
    // Findings that somebody has changed since keep that change.
    for (const { id } of undoable) said.push(await undoBulk(id));
    return said.join(' ');
  });
}

/** Changes one finding or many, optimistically, and offers to undo it. */
export function applyChange(findings: ListedFinding[], change: Change, hooks: Hooks): Promise<void> {
  const end = findings.length === 1 ? changeOne(findings[0]!, change, hooks) : changeMany(findings, change, hooks.me);
  awaitBeforeUndo(end);
  return end;
}
