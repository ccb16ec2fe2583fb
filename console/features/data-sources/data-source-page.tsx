import type { DataSource } from '@assay/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { criticalityNames, exposureNames } from '../../api/importance.ts';
import { detectionSourcesQuery } from '../../api/pickers.ts';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { useCommands } from '../../keys/registry.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { IconPencil, IconPlayerPlay, IconTrash } from '../../ui/icons.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Load, Note } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { formatTime, Time, useNow } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { scansOfDataSourceQuery, useRefreshOnEnd, useSourceNames } from '../scans/queries.ts';
import { ScanTable } from '../scans/scan-table.tsx';
import classes from './data-sources.module.css';
import { type Draft, draftOf, missingOf, updateOf } from './draft.ts';
import { DataSourceFields } from './form-fields.tsx';
import { ImportPanel } from './import-panel.tsx';
import { DataSourceStatusMark } from './marks.tsx';
import { dataSourceQuery, useDeleteDataSource, useUpdateDataSource } from './queries.ts';
import { addressOf, deletionConsequence, kindNames, openFindingsOf } from './words.ts';

/** Scans a data source with the chosen scanners, by default all that handle it. */
function ScanDataSource({ source, onClose }: { source: DataSource; onClose: () => void }) {
  const client = useQueryClient();
  const query = useQuery(detectionSourcesQuery);
  const [left, setLeft] = useState<readonly string[]>([]);
  const able = (query.data ?? []).filter(
    ({ mode, data_source_kinds }) => mode === 'scan' && data_source_kinds.includes(source.kind),
  );
  const ready = able.filter(({ status }) => status === 'connected');
  const chosen = ready.filter(({ type }) => !left.includes(type));
  const start = useMutation({
    mutationFn: async () => {
      for (const { type } of chosen) await assay.detectionSources.scan(type, { data_source: source.id });
    },
    onSuccess: onClose,
    onSettled: () => {
      for (const key of ['scans', 'detection-sources']) void client.invalidateQueries({ queryKey: [key] });
    },
  });
  return (
    <Dialog title={`Scan ${source.name}`} onClose={onClose}>
      <Form
        submit="Scan"
        loading={start.isPending}
        error={start.error}
        disabledReason={chosen.length === 0 ? 'Choose a scanner.' : null}
        onSubmit={() => start.mutate()}
        onCancel={onClose}
      >
        <Load query={query}>
          {() => (
            <div className={classes.stack}>
              {able.length === 0 && <Note>No scanner supports this kind. Import results instead.</Note>}
              {able.map(({ type, name, description, status, status_reason }) => (
                <Checkbox
                  key={type}
                  label={name}
                  description={status === 'connected' ? description : status_reason}
                  disabled={status !== 'connected'}
                  checked={chosen.some((entry) => entry.type === type)}
                  onChange={(checked) => setLeft(checked ? left.filter((entry) => entry !== type) : [...left, type])}
                />
              ))}
            </div>
          )}
        </Load>
      </Form>
    </Dialog>
  );
}

/** Changes the name and the configuration of a data source. */
function EditDataSource({ source, onClose }: { source: DataSource; onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(source));
  const update = useUpdateDataSource(source.id, onClose);
  return (
    <Dialog title={`Edit ${source.name}`} onClose={onClose} size="lg">
      <Form
        submit="Save"
        loading={update.isPending}
        error={update.error}
        disabledReason={missingOf(draft)}
        onSubmit={() => update.mutate(updateOf(draft))}
        onCancel={onClose}
      >
        <DataSourceFields
          draft={draft}
          change={(values) => setDraft({ ...draft, ...values })}
          stored={source.has_credential}
        />
      </Form>
    </Dialog>
  );
}

function Details({ source }: { source: DataSource }) {
  const branch = 'branch' in source.config ? (source.config.branch ?? 'the default branch') : null;
  const others =
    'branches' in source.config && source.config.branches === 'all' ? '; secrets in all branches and tags' : '';
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

type Scanner = DataSource['scanners'][number];

const revisionOf = ({ revision, is_behind: isBehind }: Scanner) =>
  revision === null ? '–' : `${revision.slice(0, 7)}${isBehind ? ', behind' : ''}`;

function Scanners({ source: { scanners } }: { source: DataSource }) {
  const nameOf = useSourceNames();
  const now = useNow();
  const columns: Column<Scanner>[] = [
    { title: 'Scanner', cell: ({ source }) => nameOf(source) },
    { title: 'Last scan', cell: ({ status }) => <DataSourceStatusMark status={status} /> },
    { title: 'Ended', cell: ({ at }) => <Time at={at} now={now} /> },
    ...(scanners.some(({ reason }) => reason !== null)
      ? [{ title: 'Reason', cell: ({ reason }: Scanner) => reason ?? '–' }]
      : []),
    ...(scanners.some(({ revision }) => revision !== null)
      ? [{ title: 'Revision', cell: (scanner: Scanner) => revisionOf(scanner) }]
      : []),
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
    <Page title={source.name} parent={<Link to={paths.dataSources}>Data sources</Link>} actions={actions}>
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
