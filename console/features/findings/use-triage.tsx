import type { FindingStatus } from '@assay/client';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { isOnline } from '../../api/online.ts';
import { useMay, useProfile } from '../../api/session.ts';
import type { UnmadeChange } from '../../api/unmade-changes.ts';
import type { Filters } from '../../filters/filters.ts';
import { type Command, useCommands } from '../../keys/registry.ts';
import { showToast } from '../../ui/toasts.tsx';
import { changeOne } from './change-one.ts';
import type { Change } from './changes.ts';
import { AssignDialog, CommentDialog, ReasonDialog, TagDialog } from './dialogs.tsx';
import type { ListedFinding } from './listed-finding.ts';
import { applyChange } from './triage.ts';
import { undoLast } from './undo.ts';
import { statusKeys, statusNames } from './words.ts';

// Both need the server: without a connection neither opens.
const BulkDialog = lazy(() => import('./bulk-dialog.tsx'));
const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'));

export type TriageAction = { status: FindingStatus } | 'assign' | 'assign-me' | 'tag' | 'comment';

/** Everything that the filters select, instead of single findings. */
export type AllMatching = { filters: Filters; count: number; onDone: () => void };

type Dialog = { kind: 'reason'; status: 'false_positive' | 'accepted_risk' } | { kind: 'assign' | 'tag' | 'comment' };

type Triage = {
  act: (action: TriageAction) => void;
  /** Shows a change that somebody else's decision prevented. */
  review: (conflict: UnmadeChange) => void;
  /** The dialogs that actions open; the page shows them. */
  dialogs: ReactNode;
  mayChange: boolean;
};

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

/**
 * Triage of the findings that `targets` returns when an action happens: by key, by button or by command. `onDone` is
 * called when a change is on its way, so that the list moves on; it gets the promise of the end of that change.
 */
export function useTriage(
  targets: () => ListedFinding[],
  onDone: (saved: Promise<void>) => void,
  all: AllMatching | null = null,
): Triage {
  const me = useProfile();
  const mayChange = useMay('findings:write');
  const [dialog, setDialog] = useState<{ dialog: Dialog; findings: ListedFinding[] } | null>(null);
  const [conflict, setConflict] = useState<UnmadeChange | null>(null);
  const [bulk, setBulk] = useState<{ filters: Filters; change: Change; onDone: () => void } | null>(null);
  const hooks = { me, onConflict: setConflict };
  const apply = (findings: ListedFinding[], change: Change) => {
    if (all && !isOnline()) showToast('Changes of all that match need the connection. Nothing was changed.');
    else if (all) {
      setBulk({ filters: all.filters, change, onDone: all.onDone });
    } else {
      const saved = applyChange(findings, change, hooks);
      if (change.status !== undefined) onDone(saved);
    }
  };
  const act = (action: TriageAction) => {
    const findings = targets();
    if (findings.length === 0 && !all) showToast('Choose a finding first, with j and k.');
    else if (action === 'assign-me') apply(findings, { assignee: me.id });
    else if (typeof action === 'string') setDialog({ dialog: { kind: action }, findings });
    else if (needsReason(action.status)) {
      const status = action.status as 'false_positive' | 'accepted_risk';
      setDialog({ dialog: { kind: 'reason', status }, findings });
    } else apply(findings, { status: action.status });
  };
  useCommands(mayChange ? commandsOf(act) : []);
  const close = () => setDialog(null);
  const shared = dialog && {
    count: all?.count ?? dialog.findings.length,
    onClose: close,
    onApply: (change: Change) => apply(dialog.findings, change),
  };
  const dialogs = (
    <Suspense>
      {dialog && shared && dialog.dialog.kind === 'reason' && (
        <ReasonDialog {...shared} status={dialog.dialog.status} />
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
  return { act, review: setConflict, dialogs, mayChange };
}
