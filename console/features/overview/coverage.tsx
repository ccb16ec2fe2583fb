import type { DataSource } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { formatCount, plural } from '../findings/words.ts';
import { useSourceNames } from '../scans/queries.ts';
import classes from './overview.module.css';

const statuses: { status: DataSource['status']; name: string }[] = [
  { status: 'ok', name: 'Current' },
  { status: 'partial', name: 'Partly failed' },
  { status: 'stale', name: 'Stale' },
  { status: 'failed', name: 'Failed' },
  { status: 'never_scanned', name: 'Never scanned' },
];

type Covered = Pick<DataSource, 'status' | 'scanners'>;

export const currentOf = (sources: readonly Covered[]): number =>
  sources.filter(({ status }) => status === 'ok').length;

/** The number of data sources that each scanner has scanned at all, and of those whose last scan is current. */
function coverageByScanner(sources: readonly Covered[]) {
  const counts = new Map<string, { scanned: number; current: number }>();
  for (const { source, status } of sources.flatMap(({ scanners }) => scanners)) {
    const { scanned, current } = counts.get(source) ?? { scanned: 0, current: 0 };
    counts.set(source, { scanned: scanned + 1, current: current + (status === 'ok' ? 1 : 0) });
  }
  return [...counts].map(([source, count]) => ({ source, ...count })).sort((a, b) => b.scanned - a.scanned);
}

/** The number of data sources that were scanned lately, altogether and by each scanner. */
export function Coverage() {
  const query = useQuery(dataSourceChoicesQuery);
  const nameOf = useSourceNames();
  return (
    <Section title="Coverage" lead={query.data && plural(query.data.length, 'data source')}>
      <Load query={query} rows={5}>
        {(sources) => {
          const uncovered = sources.length - currentOf(sources);
          const counts = statuses
            .map(({ status, name }) => ({ status, name, count: sources.filter((one) => one.status === status).length }))
            .filter(({ count }) => count > 0);
          return (
            <>
              <ul className={classes.counts}>
                {counts.map(({ status, name, count }) => (
                  <li key={status}>
                    <Link to={paths.dataSources} search={{ status } as never}>
                      {name}
                    </Link>
                    <b>{formatCount(count)}</b>
                  </li>
                ))}
              </ul>
              {uncovered > 0 && (
                <p className={classes.note}>
                  No findings from {uncovered === 1 ? 'this one' : `these ${formatCount(uncovered)}`} that{' '}
                  {uncovered === 1 ? 'is' : 'are'} not current does not mean that there are none.
                </p>
              )}
              <ul className={classes.counts} aria-label="Current, by scanner">
                {coverageByScanner(sources).map(({ source, scanned, current }) => (
                  <li key={source}>
                    <span>{nameOf(source)}</span>
                    <span>
                      {formatCount(current)} of {formatCount(scanned)}
                    </span>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Load>
    </Section>
  );
}
