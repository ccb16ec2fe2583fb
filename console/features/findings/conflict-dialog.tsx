import { useQuery } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import classes from '../../ui/form.module.css';
import { Load } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { showSaved } from './cache.ts';
import { changedField, useChangedValue } from './change-words.ts';
import type { Conflict } from './triage.ts';

const latest = 5;

/** Says who changed a finding in the meantime, and offers to show it or to change it anyway. */
export function ConflictDialog({
  conflict,
  onOverwrite,
  onClose,
}: {
  conflict: Conflict;
  onOverwrite: () => void;
  onClose: () => void;
}) {
  const { id, title } = conflict.finding;
  const changes = useQuery({
    queryKey: ['finding', id, 'conflict'],
    queryFn: async () => {
      const entries = [];
      for await (const entry of assay.findings.history(id, { limit: 200 })) entries.push(entry);
      return entries.slice(-latest).reverse();
    },
    gcTime: 0,
  });
  const display = useChangedValue(changes.data ?? []);
  const reload = async () => {
    const { data, response } = await assay.findings.get(id).withResponse();
    showSaved(data, response.headers.get('etag'));
    void queryClient.invalidateQueries({ queryKey: ['finding', id] });
    onClose();
  };
  return (
    <Dialog title="Another person changed this finding" onClose={onClose}>
      <p>{title}</p>
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
      <div className={classes.buttons}>
        <Button onClick={() => void reload()}>Show the new state</Button>
        <Button
          kind="primary"
          onClick={() => {
            onOverwrite();
            onClose();
          }}
        >
          Make my change all the same
        </Button>
      </div>
    </Dialog>
  );
}
