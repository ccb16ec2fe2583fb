import type { BulkOperation, FindingStatus } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { assay } from '../../api/client.ts';
import { isOnline } from '../../api/online.ts';
import { addConflict, type PendingChange } from '../../api/pending-changes.ts';
import { policyQuery } from '../../api/policy.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMay, useProfile } from '../../api/session.ts';
import type { Filters } from '../../filters/filters.ts';
import { type Command, useCommands } from '../../keys/registry.ts';
import { showError, showToast } from '../../ui/toasts.tsx';
import { undoBulk } from './bulk-undo.ts';
import { patchShown, renewCounts, showSaved } from './cache.ts';
import { changeOne, type Hooks } from './change-one.ts';
import { asChangeOfOne, type Change, describe, type Person, preview, reverse } from './changes.ts';
import { AssignDialog, CommentDialog, TagDialog } from './dialogs.tsx';
import type { ListedFinding } from './listed-finding.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { decidedOf } from './save.ts';
import type { Revert } from './timeline.tsx';
import { awaitBeforeUndo, offerUndo, undoLast } from './undo.ts';
import { type AllMatching, widerScopes } from './wider-scopes.ts';
import { formatCount, severities, statusKeys, statusNames } from './words.ts';

const maxIds = 1_000;

type Saved = { operations: BulkOperation[]; conflicts: string[] };

/**
 * Changes many findings, each in its row's version. Returns the operations, for an undo, and the ids that were left
 * out.
 */
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

/** The maximum number of left-out findings that are examined. */
const maxRead = 100;

/**
 * Changes the left-out findings on which nobody decided, since scans and comments create versions too. Marks the
 * others. Returns the same as `saveMany` for the rest.
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
    showToast('No connection: several findings can’t be changed at once. Nothing was changed.');
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
    // Findings that somebody has changed in the meantime keep that change.
    for (const { id } of undoable) said.push(await undoBulk(id));
    return said.join(' ');
  });
}

/** Changes one finding or many, optimistically, and offers to undo it. */
function applyChange(findings: ListedFinding[], change: Change, hooks: Hooks): Promise<void> {
  const end = findings.length === 1 ? changeOne(findings[0]!, change, hooks) : changeMany(findings, change, hooks.me);
  awaitBeforeUndo(end);
  return end;
}

// They need the server: without a connection, none opens.
const BulkDialog = lazy(() => import('./bulk-dialog.tsx'));
const ReasonForAll = lazy(() => import('./reason-for-all.tsx'));
const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'));

export type TriageAction = { status: FindingStatus } | 'assign' | 'assign-me' | 'tag' | 'comment';

/** The findings that an action changes, or all matching ones; and whether the list then moves on. */
type Targets = { findings: ListedFinding[]; all: AllMatching | null; moves: boolean };

type Dialog = { kind: 'reason'; status: 'false_positive' | 'accepted_risk' } | { kind: 'assign' | 'tag' | 'comment' };

export type Triage = {
  /** Acts on the targets, or on only this finding; the list then keeps its position. */
  act: (action: TriageAction, only?: ListedFinding) => void;
  /** Changes one finding like an action. */
  change: Revert;
  /** Shows a change that somebody else's decision prevented. */
  review: (conflict: PendingChange) => void;
  /** The dialogs that actions open; the page shows them. */
  dialogs: ReactNode;
  mayChange: boolean;
  /** Whether the person takes findings into work. */
  mayWork: boolean;
  /** Whether the person requests decisions, but makes none. */
  mayRequest: boolean;
};

/** The statuses that developers set, or request. */
const workStatuses = new Set<FindingStatus | undefined>(['in_progress', 'false_positive', 'accepted_risk']);

const isRequest = (action: TriageAction) => typeof action !== 'string' && needsReason(action.status);
const needsReason = (status: FindingStatus) => status === 'false_positive' || status === 'accepted_risk';

function commandsOf(act: (action: TriageAction) => void): Command[] {
  const section = 'Triage';
  return [
    ...Object.entries(statusKeys).map(([key, status]) => ({
      keys: [key],
      label: `Status: ${statusNames[status].toLowerCase()}`,
      section,
      run: () => act({ status }),
    })),
    { keys: ['a'], label: 'Assign', section, run: () => act('assign') },
    { keys: ['i'], label: 'Assign to me', section, run: () => act('assign-me') },
    { keys: ['t'], label: 'Tags', section, run: () => act('tag') },
    { keys: ['c'], label: 'Comment', section, run: () => act('comment') },
    { keys: ['z'], label: 'Undo', section, run: () => void undoLast() },
  ];
}

/** The keys of developers, who take findings into work and request the rest. */
const workCommandsOf = (act: (action: TriageAction) => void): Command[] =>
  commandsOf(act)
    .filter(({ keys: [key] = [] }) => key === 'c' || key === 'z' || workStatuses.has(statusKeys[key ?? '']))
    .map((command) => ({ ...command, label: command.label.replace(/^Status: (false|risk)/, 'Request: $1') }));

/** The keys of viewers who may request decisions. */
const requestCommandsOf = (act: (action: TriageAction) => void): Command[] =>
  workCommandsOf(act).filter(({ label }) => label.startsWith('Request'));

/**
 * Triage of the findings that `targets` returns when an action happens: by key, by button or by command. `onDone` is
 * called with the promise of the change when it has started, so that the list moves on.
 */
export function useTriage(
  targets: () => ListedFinding[],
  onDone: (saved: Promise<void>) => void,
  all: AllMatching | null = null,
): Triage {
  const me = useProfile();
  const mayChange = useMay('findings:write');
  const mayWork = useMay('findings:comment');
  const { data: policy } = useQuery(policyQuery);
  const mayRequest = !mayChange && (mayWork || policy?.decisions.who_may_request === 'viewer');
  const from = policy?.decisions.approval_from ?? null;
  const decidesAlone = ({ severity }: Pick<ListedFinding, 'severity'>) =>
    mayChange && (from === null || severities.indexOf(severity) > severities.indexOf(from));
  const [dialog, setDialog] = useState<({ dialog: Dialog } & Targets) | null>(null);
  const [conflict, setConflict] = useState<PendingChange | null>(null);
  const [bulk, setBulk] = useState<{ filters: Filters; change: Change; onDone: () => void } | null>(null);
  const hooks = { me, onConflict: setConflict };
  const apply = ({ findings, all, moves }: Targets, change: Change) => {
    if (all && !isOnline()) showToast('No connection: matching findings can’t be changed. Nothing was changed.');
    else if (all) {
      setBulk({ filters: all.filters, change, onDone: all.onDone });
    } else {
      const saved = applyChange(findings, change, hooks);
      if (moves && change.status !== undefined) onDone(saved);
    }
  };
  const act = (action: TriageAction, only?: ListedFinding) => {
    const chosen = only ? { findings: [only], all: null, moves: false } : { findings: targets(), all, moves: true };
    if (chosen.findings.length === 0 && !chosen.all) showToast('Choose a finding first, with j and k.');
    else if (!mayChange && (chosen.all || chosen.findings.length > 1) && !isRequest(action))
      showToast('Several findings are changed by analysts. You can request that they are closed: 4 and 5.');
    else if (action === 'assign-me') apply(chosen, { assignee: me.id });
    else if (typeof action === 'string') setDialog({ dialog: { kind: action }, ...chosen });
    else if (needsReason(action.status)) {
      const status = action.status as 'false_positive' | 'accepted_risk';
      setDialog({ dialog: { kind: 'reason', status }, ...chosen });
    } else apply(chosen, { status: action.status });
  };
  useCommands(mayChange ? commandsOf(act) : mayWork ? workCommandsOf(act) : mayRequest ? requestCommandsOf(act) : []);
  const close = () => setDialog(null);
  // Some of the findings may need the approval of another person.
  const mayRequestAll = !mayChange || from !== null;
  const shared = dialog && {
    count: dialog.all?.count ?? dialog.findings.length,
    onClose: close,
    onApply: (change: Change) => apply(dialog, change),
  };
  const dialogs = (
    <Suspense>
      {dialog && shared && dialog.dialog.kind === 'reason' && !(dialog.all && mayRequestAll) && (
        <ReasonDialog
          {...shared}
          status={dialog.dialog.status}
          asksFor={
            dialog.all || dialog.findings.every(decidesAlone) ? null : { finding: dialog.findings.map(({ id }) => id) }
          }
          wider={dialog.all ? (dialog.all.scopes ?? []) : widerScopes(dialog.findings)}
        />
      )}
      {dialog?.all && shared && dialog.dialog.kind === 'reason' && mayRequestAll && (
        <ReasonForAll
          {...shared}
          status={dialog.dialog.status}
          all={dialog.all}
          mayDecide={decidesAlone}
          wider={dialog.all.scopes ?? []}
        />
      )}
      {shared && dialog?.dialog.kind === 'assign' && <AssignDialog {...shared} />}
      {shared && dialog?.dialog.kind === 'tag' && <TagDialog {...shared} findings={dialog.findings} />}
      {shared && dialog?.dialog.kind === 'comment' && <CommentDialog {...shared} />}
      {bulk && (
        <BulkDialog
          filters={bulk.filters}
          change={bulk.change}
          onClose={() => setBulk(null)}
          onDone={() => {
            setBulk(null);
            bulk.onDone();
          }}
        />
      )}
      {conflict && (
        <ConflictDialog
          conflict={conflict}
          onClose={() => setConflict(null)}
          onRepeat={() => void changeOne(conflict.seen, conflict.change, hooks)}
        />
      )}
    </Suspense>
  );
  const change: Revert = (finding, back) => void applyChange([finding], back, hooks);
  return { act, change, review: setConflict, dialogs, mayChange, mayWork, mayRequest };
}
