import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { callServer } from '../../api/call.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { TextField } from '../../ui/fields.tsx';
import { IconDownload } from '../../ui/icons.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { formatTime } from '../../ui/time.tsx';
import classes from './audit.module.css';
import { actionWords } from './words.ts';

type Values = Record<string, unknown>;

type AuditEvent = {
  id: string;
  sequence: number;
  occurred_at: string;
  actor: {
    type: string;
    user: { id: string; name: string } | null;
    token: { id: string; name: string } | null;
    address: string | null;
  };
  action: string;
  target: { id: string; name: string | null } | null;
  before: Values | null;
  after: Values | null;
  details: Values;
  hash: string;
};

type Filters = { action?: string; actor?: string; target?: string; from?: string; to?: string };

const filterNames = ['action', 'actor', 'target', 'from', 'to'] as const;

/** The filters as the API takes them: days become moments. */
function queryOf(filters: Filters): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of filterNames) {
    const value = filters[name]?.trim();
    if (!value) continue;
    const time = name === 'from' ? `${value}T00:00:00Z` : name === 'to' ? `${value}T23:59:59Z` : value;
    query.set(name, time);
  }
  return query;
}

function useEvents(filters: Filters) {
  return useInfiniteQuery({
    queryKey: ['audit-events', filters],
    queryFn: ({ pageParam }) => {
      const query = queryOf(filters);
      query.set('limit', '100');
      if (pageParam) query.set('next_cursor', pageParam);
      return callServer<{ data: AuditEvent[]; next_cursor: string | null }>('GET', `/api/v1/audit-events?${query}`);
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
}

function Who({ event }: { event: AuditEvent }) {
  const { user, token, address } = event.actor;
  return (
    <>
      {user?.name ?? 'Assay'}
      {token && ` by the token ${token.name}`}
      {address && <div className={classes.muted}>{address}</div>}
    </>
  );
}

function What({ event }: { event: AuditEvent }) {
  const { action, target, before, after, details } = event;
  const whole = { before, after, details, id: event.id, sequence: event.sequence, hash: event.hash, target };
  return (
    <details className={classes.details}>
      <summary>
        <strong>{actionWords(action)}</strong>
        {target && ` ${target.name ?? target.id}`}
      </summary>
      <CodeBlock text={JSON.stringify(whole, null, 2)} />
    </details>
  );
}

/** The audit log: who changed what, and when. */
export default function AuditPage() {
  const search = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const events = useEvents(search);
  const set = (change: Filters) =>
    void navigate({ to: paths.audit, search: { ...search, ...change } as never, replace: true });
  const list = events.data?.pages.flatMap(({ data }) => data) ?? [];
  const filtered = filterNames.some((name) => search[name]);
  const csv = queryOf(search);
  csv.set('format', 'csv');
  return (
    <Page
      title="Audit"
      lead="Who changed what, and when. Entries cannot be changed; “assay audit verify” checks that none was."
      actions={
        <Button icon={IconDownload} onClick={() => location.assign(`/api/v1/audit-events?${csv}`)}>
          CSV
        </Button>
      }
    >
      <div className={classes.filters}>
        <TextField
          label="Action"
          placeholder="token.created"
          value={search.action ?? ''}
          onChange={(action) => set({ action })}
        />
        <TextField
          label="Who"
          placeholder="me, system, or an id"
          value={search.actor ?? ''}
          onChange={(actor) => set({ actor })}
        />
        <TextField
          label="What"
          placeholder="Id of what was changed"
          value={search.target ?? ''}
          onChange={(target) => set({ target })}
        />
        <TextField label="From" type="date" value={search.from ?? ''} onChange={(from) => set({ from })} />
        <TextField label="Until" type="date" value={search.to ?? ''} onChange={(to) => set({ to })} />
      </div>
      {events.error ? <Failure error={events.error} onRetry={() => void events.refetch()} /> : null}
      {events.isPending && <Skeleton rows={8} />}
      {events.isSuccess && list.length === 0 && (
        <Empty title={filtered ? 'Nothing matches these filters' : 'Nothing is recorded yet'}>
          {filtered && (
            <Button onClick={() => void navigate({ to: paths.audit, search: {} as never })}>Clear filters</Button>
          )}
        </Empty>
      )}
      {list.length > 0 && (
        <Table
          label="Audit events"
          rows={list}
          keyOf={({ id }) => id}
          columns={[
            { title: 'When', cell: ({ occurred_at }) => formatTime(occurred_at) },
            { title: 'Who', cell: (event) => <Who event={event} /> },
            { title: 'What', cell: (event) => <What event={event} /> },
          ]}
        />
      )}
      {events.hasNextPage && (
        <div>
          <Button loading={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Page>
  );
}
