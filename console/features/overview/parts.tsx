import type { Finding, FindingSummary } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { openFindings } from '../../api/summary-parameters.ts';
import { BarTable } from '../../charts/bar-table.tsx';
import { FlowChart } from '../../charts/flow-chart.tsx';
import { paths } from '../../paths.ts';
import { Choice } from '../../ui/choice-fields.tsx';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { formatDay, Time } from '../../ui/time.tsx';
import { SeverityMark } from '../findings/marks.tsx';
import { formatCount, placeOf } from '../findings/words.ts';
import { ScanStatusMark } from '../scans/marks.tsx';
import { isRunning, scansQuery, useRefreshOnEnd, useSourceNames } from '../scans/queries.ts';
import { RunningScan } from '../scans/running-scan.tsx';
import classes from './overview.module.css';
import { shownScans } from './parameters.ts';
import { expiringQuery, mostOverdueQuery } from './queries.ts';

const toFindings = (search: Record<string, string>) => ({ to: paths.findings, search });

export type FiguresQuery = { data: FindingSummary | undefined; error: unknown; refetch: () => unknown };

const ofDay = (date: string) => ({ from: `${date}T00:00:00Z`, to: `${date}T23:59:59Z` });
const closedOn = (date: string) => ({
  status: 'resolved,false_positive,accepted_risk',
  updated_from: `${date}T00:00:00Z`,
  updated_to: `${date}T23:59:59Z`,
});

type FlowProps = { query: FiguresQuery; days: number; onDays: (days: number) => void };

export function Flow({ query, days, onDays }: FlowProps) {
  return (
    <Section
      title="Opened against closed, by day"
      actions={
        <Choice
          label="Period"
          value={String(days)}
          onChange={(value) => onDays(Number(value))}
          options={[
            { value: '30', label: '30 days' },
            { value: '90', label: '90 days' },
          ]}
        />
      }
    >
      <div className={classes.flow}>
        <Load query={query} rows={9}>
          {({ daily }) => (
            <FlowChart
              label={`Findings opened and closed on each of the last ${days} days`}
              days={daily}
              openedLink={(date) => toFindings(ofDay(date))}
              closedLink={(date) => toFindings(closedOn(date))}
            />
          )}
        </Load>
      </div>
    </Section>
  );
}

/** The number of data sources and rules that are shown. */
const maxRows = 8;

type Count = { id: string; name: string; open: number };
type TopProps = { label: string; none: string; filter: 'data_source' | 'rule'; counts: Count[] };

function Top({ label, none, filter, counts }: TopProps) {
  const rows = counts.filter((row) => row.open > 0).slice(0, maxRows);
  if (rows.length === 0) return <p className={classes.muted}>{none}</p>;
  return (
    <BarTable
      label={label}
      unit="Open"
      rows={rows.map(({ id, name, open: count }) => ({
        key: id,
        name,
        parts: [{ count, color: 'var(--chart-out)' }],
        ...toFindings({ ...openFindings, [filter]: id }),
      }))}
    />
  );
}

export function TopDataSources({ query }: { query: FiguresQuery }) {
  const label = 'Data sources with the most open findings';
  return (
    <Section title={label}>
      <Load query={query} rows={maxRows}>
        {({ by_data_source: counts }) => (
          <Top label={label} none="No data source has open findings." filter="data_source" counts={counts} />
        )}
      </Load>
    </Section>
  );
}

export function TopRules({ query }: { query: FiguresQuery }) {
  const label = 'Rules with the most open findings';
  return (
    <Section title={label}>
      <Load query={query} rows={maxRows}>
        {({ by_rule: counts }) => <Top label={label} none="No open findings." filter="rule" counts={counts} />}
      </Load>
    </Section>
  );
}

export function RecentScans() {
  const nameOf = useSourceNames();
  const query = useQuery(scansQuery(shownScans));
  useRefreshOnEnd(query.data);
  return (
    <Section title="Running and failed scans" actions={<Link to={paths.scans}>All scans</Link>}>
      <Load query={query} rows={3}>
        {(scans) => {
          const failed = scans.filter((scan) => !isRunning(scan)).slice(0, 5);
          if (scans.length === 0) return <p className={classes.muted}>No running or failed scans.</p>;
          return (
            <>
              {scans.filter(isRunning).map((scan) => (
                <RunningScan key={scan.id} scan={scan} />
              ))}
              <ul className={classes.list}>
                {failed.map((scan) => (
                  <li key={scan.id}>
                    <div className={classes.line}>
                      <ScanStatusMark status={scan.status} />
                      <Link to={`${paths.scans}/$id`} params={{ id: scan.id }}>
                        {nameOf(scan.source)}
                      </Link>
                      <span className={classes.muted}>
                        <Time at={scan.created_at} />
                      </span>
                    </div>
                    <p className={classes.muted}>{scan.errors[0]?.message}</p>
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

/** The data sources with most overdue findings. */
export function MostOverdue() {
  const query = useQuery(mostOverdueQuery);
  return (
    <Section title="Most overdue">
      <Load query={query} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <p className={classes.muted}>Nothing is overdue.</p>
          ) : (
            <ul className={classes.counts}>
              {rows.map(({ id, name, count }) => (
                <li key={id}>
                  <Link {...toFindings({ ...openFindings, overdue: 'true', data_source: id })}>{name}</Link>
                  <b>{formatCount(count)}</b>
                </li>
              ))}
            </ul>
          )
        }
      </Load>
    </Section>
  );
}

const byEnd = (left: Finding, right: Finding) => (left.accepted_until ?? '').localeCompare(right.accepted_until ?? '');

export function EndingAcceptances() {
  const query = useQuery(expiringQuery);
  return (
    <Section title="Accepted risks that end within 30 days">
      <Load query={query} rows={3}>
        {({ findings, more }) =>
          findings.length === 0 ? (
            <p className={classes.muted}>No accepted risk ends soon.</p>
          ) : (
            <ul className={classes.list}>
              {findings.toSorted(byEnd).map((finding) => (
                <li key={finding.id} className={classes.line}>
                  <SeverityMark severity={finding.severity} />
                  <Link {...toFindings({ status: 'accepted_risk', open: finding.id })}>{finding.title}</Link>
                  <span className={classes.muted}>
                    {placeOf(finding)}; until {formatDay(finding.accepted_until!)}
                  </span>
                </li>
              ))}
              {more && (
                <li>
                  <Link {...toFindings({ status: 'accepted_risk' })}>Show all</Link>
                </li>
              )}
            </ul>
          )
        }
      </Load>
    </Section>
  );
}
