import type { Session } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { browserName } from '../../ui/browser-name.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { sessionsQuery } from './queries.ts';

const columnsOf = (onEnd: (id: string) => void): Column<Session>[] => [
  {
    title: 'Browser',
    cell: ({ user_agent, is_current }) => (
      <>
        {browserName(user_agent)} {is_current && <strong>(this one)</strong>}
      </>
    ),
  },
  { title: 'Address', cell: ({ ip_address }) => ip_address ?? 'unknown' },
  { title: 'Signed in', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: 'Last used',
    cell: ({ last_active_at }) => (last_active_at ? <Time at={last_active_at} /> : 'just now'),
  },
  {
    title: 'End',
    isActions: true,
    cell: ({ id, is_current }) =>
      is_current ? null : (
        <Button size="xs" onClick={() => onEnd(id)}>
          End
        </Button>
      ),
  },
];

export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: async (id: string | null) =>
      id === null ? assay.profile.sessions.deleteOthers() : assay.profile.sessions.delete(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
    onError: showError,
  });
  return (
    <Section
      title="Sessions"
      lead="Where you are signed in."
      actions={
        sessions.data && sessions.data.length > 1 ? (
          <Button onClick={() => end.mutate(null)}>End all others</Button>
        ) : undefined
      }
    >
      <Load query={sessions} rows={2}>
        {(data) => <Table label="Sessions" rows={data} keyOf={({ id }) => id} columns={columnsOf(end.mutate)} />}
      </Load>
    </Section>
  );
}
