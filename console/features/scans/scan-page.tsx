import type { Scan } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { paths } from '../../paths.ts';
import { Facts } from '../../ui/facts.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { formatTime, useNow } from '../../ui/time.tsx';
import { Comparison } from './comparison.tsx';
import { ScanStatusMark } from './marks.tsx';
import { isRunning, scanQuery, useSourceNames } from './queries.ts';
import { RunningScan } from './running-scan.tsx';
import { ScanOutcome } from './scan-outcome.tsx';
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
  return (
    <Section title="About">
      <Facts
        entries={[
          ['Status', <ScanStatusMark key="status" status={scan.status} />],
          ['Result', <ScanOutcome key="result" scan={scan} />],
          ['Data sources', targets],
          ['Targets', `${scan.progress.targets_done} of ${scan.progress.targets_total} done`],
          ['Started', `${triggerNames[scan.trigger]}${scan.requested_by ? ` by ${scan.requested_by.name}` : ''}`],
          ['At', formatTime(scan.created_at)],
          ['Took', seconds === null ? null : durationOf(seconds)],
          [
            'Findings',
            <Link key="findings" to={paths.findings} search={{ source: scan.source }}>
              All scans by this scanner
            </Link>,
          ],
        ]}
      />
    </Section>
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
