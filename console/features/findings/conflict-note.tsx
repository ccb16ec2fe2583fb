import { queryOptions, useQuery } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { type PendingChange, usePendingOf } from '../../api/pending-changes.ts';
import { IconAlertTriangle, IconClock } from '../../ui/icons.ts';
import { Time } from '../../ui/time.tsx';
import { changedField, isFirstSighting, useChangedValue } from './change-words.ts';
import { describe } from './changes.ts';
import classes from './table.module.css';

const maxShown = 5;

/** The last changes of a finding whose change was prevented, newest first. */
export const latestChangesQuery = ({ key, seen }: PendingChange) =>
  queryOptions({
    queryKey: ['finding', seen.id, 'conflict', key, seen.version],
    queryFn: async ({ signal }) => {
      const entries = [];
      for await (const entry of assay.findings.history(seen.id, { limit: 200 }, { signal }))
        if (!isFirstSighting(entry)) entries.push(entry);
      return entries.slice(-maxShown).reverse();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Names the last person to change a finding, the change and its time. */
function LastChange({ conflict }: { conflict: PendingChange }) {
  const { data } = useQuery(latestChangesQuery(conflict));
  const display = useChangedValue(data ?? []);
  const [last] = data ?? [];
  if (!last) return <>Another person changed it</>;
  const [change] = last.changes;
  return (
    <>
      {last.actor.name ?? 'Assay'}:{' '}
      {change ? `${changedField(change.field).toLowerCase()} → ${display(change.field, change.to)}` : 'changed'},{' '}
      <Time at={last.at} />
    </>
  );
}

/** Notes in a row that its change is waiting, or who prevented it; null if neither applies. */
export function RowNote({ id }: { id: string }) {
  const pending = usePendingOf(id);
  if (!pending) return null;
  if (pending.state === 'waiting')
    return (
      <span className={classes.note}>
        <IconClock size={14} stroke={1.8} aria-hidden />
        <span>Waiting for the connection</span>
      </span>
    );
  return (
    <button
      type="button"
      className={classes.note}
      data-conflict={id}
      title={`Not made: ${describe(pending.change, 1)}`}
    >
      <IconAlertTriangle size={14} stroke={1.8} aria-hidden />
      <span>
        <LastChange conflict={pending} />
      </span>
    </button>
  );
}
