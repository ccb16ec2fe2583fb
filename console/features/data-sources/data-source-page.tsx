import type { DataSource } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { criticalityNames, exposureNames } from '../../api/importance.ts';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { useCommands } from '../../keys/registry.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconPencil, IconPlayerPlay, IconTrash } from '../../ui/icons.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { formatTime, Time, useNow } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { scansOfDataSourceQuery, useRefreshOnEnd, useSourceNames } from '../scans/queries.ts';
import { ScanTable } from '../scans/scan-table.tsx';
import classes from './data-sources.module.css';
import { EditDataSource } from './edit-dialog.tsx';
import { ImportPanel } from './import-panel.tsx';
import { DataSourceStatusMark } from './marks.tsx';
import { dataSourceQuery, useDeleteDataSource } from './queries.ts';
import { ScanDataSource } from './scan-dialog.tsx';
import { addressOf, deletionConsequence, kindNames, openFindingsOf } from './words.ts';

function Details({ source }: { source: DataSource }) {
  const branch = 'branch' in source.config ? (source.config.branch ?? 'the default branch') : null;
  const others = 'branches' in source.config && source.config.branches === 'all' ? '; secrets in all, and in tags' : '';
  return (
    <Section title="About">
      <Facts
        entries={[
          ['Kind', kindNames[source.kind]],
          ['Address', addressOf(source)],
          ['Branch', branch && `${branch}${others}`],
          ['Credential', source.kind === 'git_repository' ? (source.has_credential ? 'Stored' : 'None') : null],
          ['Criticality', criticalityNames[source.criticality]],
          ['Exposure', exposureNames[source.exposure]],
          ['Owner', source.owner?.name ?? 'Nobody'],
          ['Tags', source.tags.join(', ')],
          ['Status', <DataSourceStatusMark key="status" status={source.status} />],
          ['Last scan', source.last_scanned_at === null ? 'Never' : <Time key="last" at={source.last_scanned_at} />],
          ['Added', formatTime(source.created_at)],
          [
            'Open findings',
            <Link key="open" to={paths.findings} search={{ data_source: source.id, status: 'new,triaged,in_progress' }}>
              {openFindingsOf(source)}
            </Link>,
          ],
        ]}
      />
    </Section>
  );
}

function Scanners({ source: { scanners } }: { source: DataSource }) {
  const nameOf = useSourceNames();
  const now = useNow();
  const columns: Column<DataSource['scanners'][number]>[] = [
    { title: 'Scanner', cell: ({ source }) => nameOf(source) },
    { title: 'Last scan', cell: ({ status }) => <DataSourceStatusMark status={status} /> },
    { title: 'Ended', cell: ({ at }) => <Time at={at} now={now} /> },
    { title: 'Reason', cell: ({ reason }) => reason ?? '–' },
  ];
  if (scanners.length === 0) return null;
  return (
    <Section title="Scanners">
      <Table label="Scanners" columns={columns} rows={scanners} keyOf={({ source }) => source} />
    </Section>
  );
}

function LastScans({ source }: { source: DataSource }) {
  const query = useQuery(scansOfDataSourceQuery(source.id));
  useRefreshOnEnd(query.data);
  return (
    <Section title="Last scans">
      <Load query={query}>
        {(scans) =>
          scans.length === 0 ? (
            <p className={classes.muted}>Nothing has been scanned or imported here yet.</p>
          ) : (
            <ScanTable label="Last scans" scans={scans} />
          )
        }
      </Load>
    </Section>
  );
}

function DeleteDialog({ source, onClose }: { source: DataSource; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useDeleteDataSource(() => {
    showToast(`${source.name} was deleted.`);
    void navigate({ to: paths.dataSources });
  });
  return (
    <Confirm
      title={`Delete ${source.name}?`}
      action="Delete"
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(source.id)}
      onClose={onClose}
    >
      {deletionConsequence(source.open_findings)}
    </Confirm>
  );
}

function Loaded({ source }: { source: DataSource }) {
  const [{ dialog }, change] = useUrl();
  const [mayWrite, mayScan, mayImport] = [useMay('sources:write'), useMay('scans:write'), useMay('imports:write')];
  const open = (name: string) => change({ dialog: name });
  const close = () => change({ dialog: '' });
  const scans = mayScan && source.kind !== 'upload';
  useCommands([
    ...(scans ? [{ keys: ['s'], label: 'Scan', section: 'Data source', run: () => open('scan') }] : []),
    ...(mayWrite ? [{ keys: ['e'], label: 'Edit', section: 'Data source', run: () => open('edit') }] : []),
  ]);
  const actions = (
    <>
      {scans && (
        <Button kind="primary" icon={IconPlayerPlay} onClick={() => open('scan')}>
          Scan
        </Button>
      )}
      {mayWrite && (
        <>
          <Button icon={IconPencil} onClick={() => open('edit')}>
            Edit
          </Button>
          <Button icon={IconTrash} onClick={() => open('delete')}>
            Delete
          </Button>
        </>
      )}
    </>
  );
  return (
    <Page title={source.name} lead={<Link to={paths.dataSources}>All data sources</Link>} actions={actions}>
      <div className={classes.columns}>
        <Details source={source} />
        {mayImport && (
          <Section title="Import results">
            <ImportPanel dataSourceId={source.id} />
          </Section>
        )}
      </div>
      <Scanners source={source} />
      <LastScans source={source} />
      {dialog === 'scan' && scans && <ScanDataSource source={source} onClose={close} />}
      {dialog === 'edit' && mayWrite && <EditDataSource source={source} onClose={close} />}
      {dialog === 'delete' && mayWrite && <DeleteDialog source={source} onClose={close} />}
    </Page>
  );
}

export default function DataSourcePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useQuery(dataSourceQuery(id));
  if (query.data) return <Loaded source={query.data} />;
  return (
    <Page title="Data source">
      <Load query={query}>{() => null}</Load>
    </Page>
  );
}
