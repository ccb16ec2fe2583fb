import type { AuditEvent } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { usePages } from '../../api/pages.ts';
import { dataSourceChoicesQuery, memberChoicesQuery } from '../../api/pickers.ts';
import { List, type ListColumn } from '../../list/list.tsx';
import { Remark } from '../../list/named.tsx';
import { paths } from '../../paths.ts';
import { Select } from '../../ui/choice-fields.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { IconChevronRight } from '../../ui/icons.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { formatTime } from '../../ui/time.tsx';
import classes from './audit.module.css';
import { eventPages, type Filters, filterNames, queryOf } from './queries.ts';
import { actionOptions, actorOf, hasId, linesOf, type NameOf, sentenceOf } from './sentences.ts';

/** Resolves the ids in events to names: of members, data sources and everything else in the log. */
function useNames(events: readonly AuditEvent[]): NameOf {
  const members = useQuery({ ...memberChoicesQuery, enabled: hasId(events, 'usr') });
  const sources = useQuery({ ...dataSourceChoicesQuery, enabled: hasId(events, 'ds') });
  const logged = events.flatMap(({ actor: { user, token }, target }) => [user, token, target]);
  const names = new Map(
    [...logged, ...(sources.data ?? []), ...(members.data ?? [])].map((one) => [one?.id, one?.name]),
  );
  return (id) => names.get(id) ?? undefined;
}

function What({ event, nameOf }: { event: AuditEvent; nameOf: NameOf }) {
  const [start, name, end] = sentenceOf(event, nameOf);
  return (
    <details className={classes.details}>
      <summary>
        <IconChevronRight size={16} stroke={1.5} aria-hidden />
        <span>
          {start}
          <strong>{name}</strong>
          {end}
        </span>
      </summary>
      <Facts
        entries={[
          ...linesOf(event, nameOf).map(({ name, text }): [string, string] => [name, text]),
          ['Entry', `${event.sequence}, with the checksum ${event.hash.slice(0, 16)}…`],
        ]}
      />
    </details>
  );
}

function FilterFields({ filters, onChange }: { filters: Filters; onChange: (change: Filters) => void }) {
  return (
    <>
      <TextField
        label="Who"
        placeholder="Who: name, address, me, system"
        value={filters.actor ?? ''}
        onChange={(actor) => onChange({ actor })}
      />
      <TextField
        label="What"
        placeholder="What: a name"
        value={filters.target ?? ''}
        onChange={(target) => onChange({ target })}
      />
      <Select
        label="Action"
        searchable
        options={[{ value: '', label: 'Any action' }, ...actionOptions]}
        value={filters.action ?? ''}
        onChange={(action) => onChange({ action })}
      />
      <TextField label="From" type="date" value={filters.from ?? ''} onChange={(from) => onChange({ from })} />
      <TextField label="Until" type="date" value={filters.to ?? ''} onChange={(to) => onChange({ to })} />
    </>
  );
}

const lead = (
  <>
    Entries can’t be changed: “assay audit verify” checks that. The history of a finding is in its timeline:{' '}
    <Link to={paths.findings} search={{ sort: '-updated_at' }}>
      findings by their last change
    </Link>
    .
  </>
);

const columnsOf = (nameOf: NameOf): ListColumn<AuditEvent>[] => [
  {
    title: 'What',
    cell: (event) => <What event={event} nameOf={nameOf} />,
    text: (event) => sentenceOf(event).join(''),
  },
  {
    title: 'Who',
    width: '30%',
    phone: 'line',
    cell: (event) => (
      <>
        {actorOf(event)}
        {event.actor.address && <Remark>{event.actor.address}</Remark>}
      </>
    ),
    text: actorOf,
  },
  {
    title: 'When',
    width: '168px',
    phone: 'line',
    cell: ({ occurred_at }) => formatTime(occurred_at),
    text: ({ occurred_at }) => occurred_at,
  },
];

/** The audit log: who changed what, and when. */
export default function AuditPage() {
  const search = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const query = queryOf(search);
  const events = usePages(eventPages(search));
  const set = (change: Filters) =>
    void navigate({ to: paths.audit, search: { ...search, ...change } as never, replace: true });
  const list = events.data ?? [];
  const nameOf = useNames(list);
  const filtered = filterNames.some((name) => search[name]);
  const csv = new URLSearchParams({ ...query, format: 'csv' });
  return (
    <Page title="Audit" lead={lead}>
      <List
        label="Audit events"
        name="audit"
        query={events}
        columns={columnsOf(nameOf)}
        idOf={({ id }) => id}
        filters={<FilterFields filters={search} onChange={set} />}
        onClear={filtered ? () => void navigate({ to: paths.audit, search: {} as never }) : null}
        empty={<Empty title="Nothing is recorded yet" />}
        allAsCsv={`/api/v1/audit-events?${csv}`}
      />
    </Page>
  );
}
