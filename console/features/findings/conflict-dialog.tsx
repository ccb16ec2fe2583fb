import { useQuery } from '@tanstack/react-query';
import { type PendingChange, removePending } from '../../api/pending-changes.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import classes from '../../ui/form.module.css';
import { Load } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { changedField, useChangedValue } from './change-words.ts';
import { describeBefore } from './changes.ts';
import { latestChangesQuery } from './conflict-note.tsx';

type ConflictDialogProps = { conflict: PendingChange; onRepeat: () => void; onClose: () => void };

/** Says who changed a finding in the meantime, and offers to keep that change or to override it. */
export default function ConflictDialog({ conflict, onRepeat, onClose }: ConflictDialogProps) {
  const changes = useQuery(latestChangesQuery(conflict));
  const display = useChangedValue(changes.data ?? []);
  return (
    <Dialog title="Another person changed this finding" onClose={onClose}>
      <p>{conflict.seen.title}</p>
      <Load query={changes} rows={3}>
        {(entries) => (
          <ul>
            {entries.map(({ id: key, at, actor, changes: fields }) => (
              <li key={key}>
                <strong>{actor.name ?? 'Assay'}</strong>, <Time at={at} />:{' '}
                {fields
                  .map(({ field, to }) => `${changedField(field).toLowerCase()} → ${display(field, to)}`)
                  .join(', ')}
              </li>
            ))}
          </ul>
        )}
      </Load>
      <p>
        Your change was not applied:{' '}
        {describeBefore(conflict.change, 'it', undefined).replace(/^./, (first) => first.toLowerCase())}.
      </p>
      <div className={classes.buttons}>
        <Button
          onClick={() => {
            removePending(conflict.key);
            onClose();
          }}
        >
          Keep the new state
        </Button>
        <Button
          kind="primary"
          onClick={() => {
            onRepeat();
            onClose();
          }}
        >
          Apply my change anyway
        </Button>
      </div>
    </Dialog>
  );
}
