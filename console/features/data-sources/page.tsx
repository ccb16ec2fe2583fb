import type { Criticality, DataSource } from '@assay/client';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { criticalityNames } from '../../api/importance.ts';
import { useMay } from '../../api/session.ts';
import { type Search, useUrl } from '../../api/use-url.ts';
import { useCommands } from '../../keys/registry.ts';
import { List, type ListColumn } from '../../list/list.tsx';
import { Named, Remark } from '../../list/named.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { useSourceNames } from '../scans/queries.ts';
import { AddDataSource } from './add-dialog.tsx';
import { Feeds } from './feeds.tsx';
import { DataSourceStatusMark, kindIcons } from './marks.tsx';
import { filtersOf, isKind, sortOf, useDataSourcePages, useSetCriticality } from './queries.ts';
import { addressOf, dataSourceStatusNames, kindNames, kinds, openFindingsOf } from './words.ts';

const openIn = (id: string) => ({ data_source: id, status: 'new,triaged,in_progress' });

function Name({ source }: { source: DataSource }) {
  const Icon = kindIcons[source.kind];
  return (
    <Named
      icon={<Icon size={16} stroke={1.5} aria-label={kindNames[source.kind]} />}
      note={addressOf(source) ?? 'Uploaded results'}
    >
      <Link to={`${paths.dataSources}/$id`} params={{ id: source.id }}>
        {source.name}
      </Link>
    </Named>
  );
}

function useColumns(sources: DataSource[] | undefined): ListColumn<DataSource>[] {
  const isOwned = sources?.some(({ owner }) => owner !== null) ?? false;
  const now = useNow();
  const nameOf = useSourceNames();
  const reasonsOf = ({ scanners }: DataSource) => scanners.filter((scanner) => scanner.status !== 'ok');
  return [
    {
      title: 'Data source',
      cell: (source) => <Name source={source} />,
      text: ({ name }) => name,
      sort: 'name',
    },
    {
      title: 'Status',
      width: '30%',
      phone: 'line',
      cell: (source) => (
        <span
          title={
            reasonsOf(source)
              .flatMap(({ reason }) => reason ?? [])
              .join('\n') || undefined
          }
        >
          <DataSourceStatusMark status={source.status} />
          {reasonsOf(source).map(({ source: scanner, at, reason }) => (
            <Remark key={scanner}>
              {nameOf(scanner)}, <Time at={at} now={now} />: {reason}
            </Remark>
          ))}
        </span>
      ),
      text: ({ status }) => dataSourceStatusNames[status],
      sort: 'status',
    },
    {
      title: 'Open',
      width: '84px',
      isNumber: true,
      phone: 'end',
      cell: (source) =>
        source.open_findings === 0 ? (
          openFindingsOf(source)
        ) : (
          <Link to={paths.findings} search={openIn(source.id)}>
            {openFindingsOf(source)}
          </Link>
        ),
      text: openFindingsOf,
      sort: 'open_findings',
    },
    {
      title: 'Criticality',
      width: '96px',
      gives: 1,
      cell: ({ criticality }) => criticalityNames[criticality],
      text: ({ criticality }) => criticalityNames[criticality],
      by: ({ criticality }) => Object.keys(criticalityNames).indexOf(criticality),
    },
    {
      title: 'Owner',
      width: '140px',
      gives: 2,
      isEmpty: !isOwned,
      cell: ({ owner }) => owner?.name ?? '–',
      text: ({ owner }) => owner?.name ?? '',
      by: ({ owner }) => owner?.name ?? '',
    },
    {
      title: 'Last scan',
      width: '120px',
      phone: 'line end',
      cell: ({ last_scanned_at }) => (last_scanned_at === null ? 'Never' : <Time at={last_scanned_at} now={now} />),
      text: ({ last_scanned_at }) => last_scanned_at ?? '',
      sort: 'last_scanned_at',
    },
  ];
}

function Filters({
  search,
  change,
}: {
  search: Search;
  change: (values: Search, options: { replace: boolean }) => void;
}) {
  const set = (values: Search) => change(values, { replace: true });
  return (
    <>
      <TextField label="Search" value={search.q ?? ''} onChange={(q) => set({ q })} placeholder="Name or address" />
      <Select
        label="Kind"
        value={search.kind ?? ''}
        onChange={(kind) => set({ kind })}
        options={[{ value: '', label: 'Any kind' }, ...kinds.map((kind) => ({ value: kind, label: kindNames[kind] }))]}
      />
      <Select
        label="Status"
        value={search.status ?? ''}
        onChange={(status) => set({ status })}
        options={[
          { value: '', label: 'Any status' },
          ...Object.entries(dataSourceStatusNames).map(([value, label]) => ({ value, label })),
        ]}
      />
    </>
  );
}

const NoDataSources = ({ button }: { button: ReactNode }) => (
  <Empty title="No data sources yet">
    <p>Add a repository, a website, a host or an image to scan, or upload results of other scanners.</p>
    {button || <p>Ask an admin of your organization to add one.</p>}
  </Empty>
);

/** Changes the criticality of the selected data sources. */
function SetCriticality({ sources, onDone }: { sources: DataSource[]; onDone: () => void }) {
  const set = useSetCriticality(onDone);
  return (Object.keys(criticalityNames) as Criticality[]).map((criticality) => (
    <Button key={criticality} size="xs" kind="quiet" onClick={() => set.mutate({ sources, criticality })}>
      {criticalityNames[criticality]}
    </Button>
  ));
}

export default function DataSourcesPage() {
  const [search, change] = useUrl();
  const navigate = useNavigate();
  const may = useMay('sources:write');
  const filters = filtersOf(search);
  const query = useDataSourcePages(search);
  const isFiltered = Object.keys(filters).length > 0;
  const columns = useColumns(query.data);
  const add = () => change({ add: 'any' });
  useCommands(may ? [{ keys: ['n'], label: 'Add a data source', section: 'Data sources', run: add }] : []);
  const button = may && (
    <Button kind="primary" icon={IconPlus} onClick={add}>
      Add a data source
    </Button>
  );
  return (
    <Page title="Data sources" actions={button}>
      <Feeds chosen={search.feed} onChoose={(feed) => change({ feed })} />
      <List
        label="Data sources"
        name="data_sources"
        query={query}
        columns={columns}
        idOf={({ id }) => id}
        sort={{ value: sortOf(search), onChange: (next) => change({ sort: next }, { replace: true }) }}
        filters={<Filters search={search} change={change} />}
        onClear={isFiltered ? () => change({ q: '', kind: '', status: '' }) : null}
        noMatch="No matching data sources"
        empty={<NoDataSources button={button} />}
        actions={may && ((rows, clear) => <SetCriticality sources={rows} onDone={clear} />)}
      />
      {may && search.add !== undefined && (
        <AddDataSource
          kind={isKind(search.add) ? search.add : null}
          onKind={(kind) => change({ add: kind ?? 'any' }, { replace: true })}
          onCreated={({ id }) => void navigate({ to: `${paths.dataSources}/$id`, params: { id } })}
          onClose={() => change({ add: '' })}
        />
      )}
    </Page>
  );
}
