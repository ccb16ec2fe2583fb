import type { BulkOperation } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { unlessLive } from '../../api/live.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Load } from '../../ui/states.tsx';
import { formatTime, Time } from '../../ui/time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { outcomeOf, undoBulk } from './bulk-undo.ts';
import { type Change, describe } from './changes.ts';
import classes from './page.module.css';
import { bulkOperationsQuery } from './queries.ts';

const runningMs = 2_000;

/** Describes the outcome of an operation in a sentence. */
function stateOf(operation: BulkOperation): string {
  if (operation.status === 'queued') return 'Not started.';
  if (operation.status === 'running') return `${operation.percent} % done.`;
  if (operation.status === 'undoing') return `Being undone: ${operation.percent} %.`;
  const ended = outcomeOf(operation) ?? operation.error;
  if (ended !== null) return ended;
  if (operation.undoable_until === null) return 'It can no longer be undone.';
  return `It can be undone until ${formatTime(operation.undoable_until)}.`;
}

function Operation({ operation }: { operation: BulkOperation }) {
  const mayChange = useMay('findings:write');
  const undo = useMutation({
    mutationFn: () => undoBulk(operation.id),
    onSuccess: (text) => showToast(text),
    onError: showError,
  });
  return (
    <li className={classes.operation}>
      <span>
        <strong>{describe(operation.change as Change, operation.updated)}</strong>
        <span className={classes.muted}>
          {operation.requested_by?.name ?? 'A token'}, <Time at={operation.created_at} />. {stateOf(operation)}
        </span>
      </span>
      {mayChange && operation.undoable_until !== null && (
        <Button size="xs" loading={undo.isPending} onClick={() => undo.mutate()}>
          Undo
        </Button>
      )}
    </li>
  );
}

/** The latest bulk changes. Each can be undone for a day. */
export default function BulkHistory({ onClose }: { onClose: () => void }) {
  const query = useQuery({ ...bulkOperationsQuery, refetchInterval: () => unlessLive(runningMs) });
  return (
    <Dialog title="Bulk changes" size="lg" onClose={onClose}>
      <Load query={query} rows={4}>
        {(operations) =>
          operations.length === 0 ? (
            <p>No bulk changes yet.</p>
          ) : (
            <ul className={classes.operations}>
              {operations.map((operation) => (
                <Operation key={operation.id} operation={operation} />
              ))}
            </ul>
          )
        }
      </Load>
    </Dialog>
  );
}
