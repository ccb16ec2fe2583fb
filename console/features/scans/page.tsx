import type { DetectionSource } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { feedsQuery } from '../../api/feeds.ts';
import { usePages } from '../../api/pages.ts';
import { detectionSourcesQuery } from '../../api/pickers.ts';
import { useMay } from '../../api/session.ts';
import { type Search, useUrl } from '../../api/use-url.ts';
import { List } from '../../list/list.tsx';
import { paths } from '../../paths.ts';
import { Select } from '../../ui/choice-fields.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Load, Skeleton } from '../../ui/states.tsx';
import { intervalOf, isRunning, runningScansQuery, scanPages, useRefreshOnEnd } from './queries.ts';
import { RunningScan } from './running-scan.tsx';
import { useScanColumns } from './scan-table.tsx';
import classes from './scans.module.css';
import { SourceCard } from './source-card.tsx';
import { StartScan } from './start-dialog.tsx';
import { scanStatusNames } from './words.ts';

/** Scanners that can run, have found something or need only advisories. The others show only what they lack. */
const isInUse = ({ type, status, open_findings, last_scan }: DetectionSource) =>
  status === 'connected' || type === 'dependencies' || open_findings > 0 || last_scan !== null;

function Unavailable({ sources }: { sources: DetectionSource[] }) {
  if (sources.length === 0) return null;
  return (
    <details className={classes.more}>
      <summary>{sources.length === 1 ? '1 more scanner' : `${sources.length} more scanners`} can be connected</summary>
      <ul className={classes.reasons}>
        {sources.map(({ type, name, status_reason }) => (
          <li key={type}>
            <b>{name}</b>: {status_reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Scanners({ sources, onScan }: { sources: DetectionSource[]; onScan: (type: string) => void }) {
  // A card says what it misses: the cards below would move.
  const feeds = useQuery(feedsQuery);
  if (feeds.isPending) return <Skeleton rows={12} />;
  return (
    <section aria-label="Scanners">
      <div className={classes.cards}>
        {sources.filter(isInUse).map((source) => (
          <SourceCard key={source.type} source={source} onScan={() => onScan(source.type)} />
        ))}
      </div>
      <Unavailable sources={sources.filter((source) => !isInUse(source))} />
    </section>
  );
}

function Running() {
  const { data } = useQuery(runningScansQuery);
  useRefreshOnEnd(data);
  const running = (data ?? []).filter(isRunning);
  if (running.length === 0) return null;
  return (
    <Section title="Running now">
      <div className={classes.cards}>
        {running.map((scan) => (
          <RunningScan key={scan.id} scan={scan} />
        ))}
      </div>
    </Section>
  );
}

type HistoryProps = { search: Search; change: (values: Search) => void; sources: DetectionSource[] };

function History({ search, change, sources }: HistoryProps) {
  const { source, status } = search;
  return (
    <List
      label="Scans"
      name="scans"
      query={usePages(scanPages(search), { refetchInterval: intervalOf })}
      columns={useScanColumns()}
      idOf={({ id }) => id}
      filters={
        <>
          <Select
            label="Scanner"
            value={source ?? ''}
            onChange={(value) => change({ source: value })}
            options={[
              { value: '', label: 'Any scanner' },
              ...sources.map(({ type, name }) => ({ value: type, label: name })),
            ]}
          />
          <Select
            label="Status"
            value={status ?? ''}
            onChange={(value) => change({ status: value })}
            options={[
              { value: '', label: 'Any status' },
              ...Object.entries(scanStatusNames).map(([value, label]) => ({ value, label })),
            ]}
          />
        </>
      }
      onClear={source || status ? () => change({ source: '', status: '' }) : null}
      noMatch="No matching scans"
      empty={
        <Empty title="No scans yet">
          <p>
            Start one with a{' '}
            <Link to={paths.scans} search={{ tab: 'scanners' }}>
              scanner
            </Link>
            . It needs a <Link to={paths.dataSources}>data source</Link> to scan.
          </p>
        </Empty>
      }
    />
  );
}

export default function ScansPage() {
  const [search, change] = useUrl();
  const query = useQuery(detectionSourcesQuery);
  const mayScan = useMay('scans:write');
  const isScanners = search.tab === 'scanners';
  const chosen = query.data?.find(({ type }) => type === search.scan);
  return (
    <Page
      title="Scans"
      tabs={[
        { label: 'History', to: paths.scans, search: {}, current: !isScanners },
        {
          label: 'Scanners',
          count: query.data?.filter(isInUse).length,
          to: paths.scans,
          search: { tab: 'scanners' },
          current: isScanners,
        },
      ]}
    >
      {!isScanners && <Running />}
      <Load query={query}>
        {(sources) =>
          isScanners ? (
            <Scanners sources={sources} onScan={(type) => change({ scan: type })} />
          ) : (
            <History search={search} change={change} sources={sources} />
          )
        }
      </Load>
      {chosen && mayScan && <StartScan source={chosen} onClose={() => change({ scan: '' })} />}
    </Page>
  );
}
