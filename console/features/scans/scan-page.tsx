import type { Scan } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { formatTime, useNow } from '../../ui/time.tsx';
import { Comparison } from './comparison.tsx';
import { ScanStatusMark } from './marks.tsx';
import { isRunning, scanQuery, useSourceNames } from './queries.ts';
import { RunningScan } from './running-scan.tsx';
import { ScanOutcome } from './scan-outcome.tsx';
import classes from './scans.module.css';
import { TargetTable } from './target-table.tsx';
import { durationOf, secondsOf, triggerNames } from './words.ts';

function useTargetNames({ data_sources }: Scan): string {
  const { data } = useQuery(dataSourceChoicesQuery);
  if (data_sources === null) return 'All data sources that the scanner supports';
  return data_sources.map((id) => data?.find((source) => source.id === id)?.name ?? id).join(', ');
}

function Details({ scan }: { scan: Scan }) {
  const now = useNow();
  const targets = useTargetNames(scan);
  const seconds = secondsOf(scan, now);
  const started = triggerNames[scan.trigger].toLowerCase();
  return (
    <section className={classes.facts} aria-label="About">
      <p>
        <ScanStatusMark status={scan.status} />
        <span>
          <ScanOutcome scan={scan} />
        </span>
        <Link to={paths.findings} search={{ source: scan.source }}>
          All findings of this scanner
        </Link>
      </p>
      <p className={classes.muted}>
        <span>
          Started <strong>{formatTime(scan.created_at)}</strong>, {started}
          {scan.requested_by && ` by ${scan.requested_by.name}`}
        </span>
        {seconds !== null && (
          <span>
            Took <strong>{durationOf(seconds)}</strong>
          </span>
        )}
        <span>
          <strong>
            {scan.progress.targets_done} of {scan.progress.targets_total}
          </strong>{' '}
          targets done
        </span>
        <span>{targets}</span>
      </p>
    </section>
  );
}

export default function ScanPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useQuery(scanQuery(id));
  const nameOf = useSourceNames();
  const title = query.data ? `Scan by ${nameOf(query.data.source)}` : 'Scan';
  return (
    <Page title={title} parent={<Link to={paths.scans}>Scans</Link>}>
      <Load query={query}>
        {(scan) => (
          <>
            {isRunning(scan) && <RunningScan scan={scan} />}
            <Details scan={scan} />
            <TargetTable scan={scan} />
            <Comparison scan={scan} />
          </>
        )}
      </Load>
    </Page>
  );
}
