import type { DataSource } from '@assay/client';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { criticalityNames } from '../../api/importance.ts';
import { useMay } from '../../api/session.ts';
import { type Search, useUrl } from '../../api/use-url.ts';
import { useCommands } from '../../keys/registry.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { More } from '../../ui/more.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Load } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import { useSourceNames } from '../scans/queries.ts';
import { AddDataSource } from './add-dialog.tsx';
import classes from './data-sources.module.css';
import { Feeds } from './feeds.tsx';
import { DataSourceStatusMark, kindIcons } from './marks.tsx';
import { filtersOf, isKind, useDataSourcePages } from './queries.ts';
import { addressOf, dataSourceStatusNames, kindNames, kinds, openFindingsOf } from './words.ts';

const openIn = (id: string) => ({ data_source: id, status: 'new,triaged,in_progress' });

function Name({ source }: { source: DataSource }) {
  const Icon = kindIcons[source.kind];
  return (
    <span className={classes.name}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <span>
        <Link to={`${paths.dataSources}/$id`} params={{ id: source.id }}>
          {source.name}
        </Link>
        <span className={classes.address}>{addressOf(source) ?? 'Results that you upload'}</span>
      </span>
    </span>
  );
}

function useColumns(): Column<DataSource>[] {
  const now = useNow();
  const nameOf = useSourceNames();
  return [
    {
      title: 'Data source',
      cell: (source) => <Name source={source} />,
    },
    { title: 'Kind', cell: ({ kind }) => <span className={classes.whole}>{kindNames[kind]}</span> },
    {
      title: 'Status',
      cell: ({ status, scanners }) => (
        <>
          <DataSourceStatusMark status={status} />
          {scanners
            .filter((scanner) => scanner.status !== 'ok')
            .map(({ source, at, reason }) => (
              <span key={source} className={classes.reason}>
                {nameOf(source)}, <Time at={at} now={now} />: {reason}
              </span>
            ))}
        </>
      ),
    },
    { title: 'Criticality', cell: ({ criticality }) => criticalityNames[criticality] },
    { title: 'Owner', cell: ({ owner }) => owner?.name ?? '–' },
    {
      title: 'Open findings',
      cell: (source) =>
        source.open_findings === 0 ? (
          openFindingsOf(source)
        ) : (
          <Link to={paths.findings} search={openIn(source.id)}>
            {openFindingsOf(source)}
          </Link>
        ),
    },
    {
      title: 'Last scan',
      cell: ({ last_scanned_at }) => (last_scanned_at === null ? 'Never' : <Time at={last_scanned_at} now={now} />),
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
    <Toolbar label="Filters">
      <TextField label="Search" value={search.q ?? ''} onChange={(q) => set({ q })} placeholder="Name or address" />
      <Select
        label="Kind"
        value={search.kind ?? ''}
        onChange={(kind) => set({ kind })}
        options={[{ value: '', label: 'Any' }, ...kinds.map((kind) => ({ value: kind, label: kindNames[kind] }))]}
      />
      <Select
        label="Status"
        value={search.status ?? ''}
        onChange={(status) => set({ status })}
        options={[
          { value: '', label: 'Any' },
          ...Object.entries(dataSourceStatusNames).map(([value, label]) => ({ value, label })),
        ]}
      />
    </Toolbar>
  );
}

const NoDataSources = ({ button }: { button: ReactNode }) => (
  <Empty title="No data sources yet">
    <p>Add a repository, a website, a host or an image to scan, or upload results of other scanners.</p>
    {button || <p>Ask an admin of your organization to add one.</p>}
  </Empty>
);

export default function DataSourcesPage() {
  const [search, change] = useUrl();
  const navigate = useNavigate();
  const may = useMay('sources:write');
  const filters = filtersOf(search);
  const query = useDataSourcePages(filters);
  const isFiltered = Object.keys(filters).length > 0;
  const columns = useColumns();
  const add = () => change({ add: 'any' });
  useCommands(may ? [{ keys: ['n'], label: 'Add a data source', section: 'Data sources', run: add }] : []);
  const button = may && (
    <Button kind="primary" icon={IconPlus} onClick={add}>
      Add a data source
    </Button>
  );
  return (
    <Page title="Data sources" lead="The targets of scans and imports." actions={button}>
      <Feeds chosen={search.feed} onChoose={(feed) => change({ feed })} />
      <Load query={query}>
        {(rows) => {
          if (rows.length === 0 && !isFiltered) return <NoDataSources button={button} />;
          return (
            <>
              <Filters search={search} change={change} />
              {rows.length === 0 ? (
                <Empty title="No data source matches">
                  <Button onClick={() => change({ q: '', kind: '', status: '' })}>Clear filters</Button>
                </Empty>
              ) : (
                <Table label="Data sources" columns={columns} rows={rows} keyOf={({ id }) => id} />
              )}
              <More query={query} />
            </>
          );
        }}
      </Load>
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
