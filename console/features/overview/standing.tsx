import type { FindingSummary, Severity } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { serverNow } from '../../api/clock.ts';
import { useFeed } from '../../api/feeds.ts';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { useMay } from '../../api/session.ts';
import { openFindings } from '../../api/summary-parameters.ts';
import { Legend } from '../../charts/legend.tsx';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/page.tsx';
import { SeverityMark } from '../findings/marks.tsx';
import { builtInViews } from '../findings/views.ts';
import { formatCount, severities } from '../findings/words.ts';
import { currentOf } from './coverage.tsx';
import { ExportButtons } from './export-buttons.tsx';
import classes from './overview.module.css';
import { bandsOf, progressQuery, repairDays, totalQuery } from './queries.ts';
import { Difference, daysWords, keptShare, percent } from './repairs.tsx';

const fourWeeks = 28;

/** Returns the number of findings of a severity that were open at the end of the day four weeks ago, as recorded then. */
const openThen = ({ daily }: FindingSummary, severity: Severity): number =>
  daily.at(-1 - fourWeeks)?.by_severity[severity].open ?? 0;

const signed = (difference: number) =>
  difference > 0 ? `+${formatCount(difference)}` : formatCount(difference).replace('-', '−');

export function Change({ difference }: { difference: number }) {
  const kind = difference > 0 ? classes.worse : difference < 0 ? classes.better : '';
  return <span className={kind}>{difference === 0 ? '–' : signed(difference)}</span>;
}

type FigureProps = {
  name: string;
  count: string;
  of?: ReactNode;
  note: ReactNode;
  to: string;
  search: Record<string, string>;
};

/** A number that links to the list behind it, with its change. */
const Figure = ({ name, count, of, note, to, search }: FigureProps) => (
  <Link to={to} search={search as never} className={classes.figure ?? ''}>
    <span className={classes.name}>{name}</span>
    <span className={classes.value}>
      <span className={classes.count}>{count}</span> {of}
    </span>
    <span className={classes.note}>{note}</span>
  </Link>
);

const overdue = { ...openFindings, overdue: 'true' };
const exploited = builtInViews.find(({ id }) => id === 'exploited')!.filters as Record<string, string>;
/** The start of the first of the last 28 days: a time that changes once a day. */
const since = () => `${new Date(serverNow() - (repairDays - 1) * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;

const useTotal = (filters: Record<string, string>) => useQuery(totalQuery(filters)).data;
const orDash = (count: number | undefined) => (count === undefined ? '–' : formatCount(count));

function Exploited() {
  const [all, fresh] = [useTotal(exploited), useTotal({ ...exploited, from: since() })];
  const isUnknown = useFeed('kev')?.status === 'not_loaded';
  return (
    <Figure
      name="Exploited and open"
      count={isUnknown ? 'Unknown' : orDash(all)}
      of={!isUnknown && 'on KEV'}
      note={
        isUnknown
          ? 'CISA’s list is not loaded'
          : fresh !== undefined && `${formatCount(fresh)} found in the last four weeks`
      }
      to={paths.findings}
      search={exploited}
    />
  );
}

function Covered() {
  const { data } = useQuery(dataSourceChoicesQuery);
  const never = data?.filter(({ status }) => status === 'never_scanned').length ?? 0;
  return (
    <Figure
      name="Coverage"
      count={data ? formatCount(currentOf(data)) : '–'}
      of={data && `of ${formatCount(data.length)} current`}
      note={data && (never === 0 ? 'each was scanned at least once' : `${formatCount(never)} never scanned`)}
      to={paths.dataSources}
      search={{}}
    />
  );
}

/** Five figures with their changes: overdue, exploited, due dates kept, time to fix and coverage. */
export function Figures({ summary }: { summary: FindingSummary | undefined }) {
  const [late, lateBefore] = [useTotal(overdue), useTotal({ ...overdue, due_to: since() })];
  const { data } = useQuery(progressQuery(repairDays));
  const maySources = useMay('sources:read');
  const [now, then] = [data?.repairs, data?.repairs.before];
  const [kept, keptThen] = [now ? keptShare(now) : null, then ? keptShare(then) : null];
  const fixed = { status: 'resolved', updated_from: since() };
  return (
    <div className={classes.tiles} aria-busy={summary === undefined}>
      <Figure
        name="Overdue"
        count={orDash(late)}
        of={summary && `of ${formatCount(summary.open)} open`}
        note={
          late !== undefined &&
          lateBefore !== undefined &&
          `${formatCount(Math.max(0, late - lateBefore))} came due in the last four weeks`
        }
        to={paths.findings}
        search={overdue}
      />
      <Exploited />
      <Figure
        name="Due dates kept"
        count={percent(kept)}
        note={now && <Difference now={points(kept)} then={points(keptThen)} unit="points" isGood="more" />}
        to={paths.findings}
        search={fixed}
      />
      <Figure
        name="Time to fix"
        count={now ? daysWords(now.mean_days) : '–'}
        of={now && now.p90_days !== null && `mean, ${daysWords(now.p90_days)} at 90\u00a0%`}
        note={now && <Difference now={now.mean_days} then={then!.mean_days} unit="days" isGood="less" />}
        to={paths.findings}
        search={fixed}
      />
      {maySources && <Covered />}
    </div>
  );
}

const points = (share: number | null) => (share === null ? null : Math.round(share * 100));

/** The oldest bands share the strongest colour. */
const shades = 4;
const colorOf = (band: number) => `var(--age-${Math.min(band + 1, shades)})`;

/** The colours with their names. The last one stands for all older findings. */
const legendOf = (bands: Bands) =>
  bands.slice(0, shades).map(({ name }, index) => (index === shades - 1 ? `Over ${name.split(' ')[0]} days` : name));

/** Shown while the bands are loading, so that nothing moves. */
const usualLegend = ['Up to 7 days', '7 to 30 days', '30 to 90 days', 'Over 90 days'];

type Bands = ReturnType<typeof bandsOf>;

function Bar({ bands, severity, then, max }: { bands: Bands; severity: Severity; then: number; max: number }) {
  const scale = 100 / Math.max(max, 1);
  let start = 0;
  return (
    <>
      <svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
        {bands.map(({ name, counts }, index) => {
          const x = start;
          start += counts[severity] * scale;
          return <rect key={name} x={x} y={0} width={counts[severity] * scale} height={12} fill={colorOf(index)} />;
        })}
      </svg>
      <span className={classes.then} style={{ width: `${then * scale}%` }} />
    </>
  );
}

function drawnAges(summary: FindingSummary, bands: Bands, then: (severity: Severity) => number) {
  const total = (severity: Severity) => summary.by_severity[severity];
  const max = Math.max(...severities.map(total), 1);
  return {
    title: 'Open by severity and age',
    header: ['Severity', ...bands.map(({ name }) => name), 'Now', '4 weeks ago'],
    rows: severities.map((severity) => {
      let start = 0;
      const parts = bands.map(({ counts }, index) => {
        const from = start / max;
        start += counts[severity];
        return { from, to: start / max, color: colorOf(index) };
      });
      const counts = [...bands.map((band) => band.counts[severity]), total(severity), then(severity)];
      return { cells: [severity, ...counts.map(String)], parts };
    }),
  };
}

/** Open findings by severity and age, beside the numbers of four weeks ago. */
export function SeveritiesByAge({ summary }: { summary: FindingSummary | undefined }) {
  const bands = summary ? bandsOf(summary.by_age) : [];
  const then = (severity: Severity) => (summary ? openThen(summary, severity) : 0);
  const max = Math.max(...severities.flatMap((severity) => [summary?.by_severity[severity] ?? 0, then(severity)]), 1);
  return (
    <Section
      title="Open by severity and age"
      actions={
        <>
          <Legend
            entries={[
              ...(summary ? legendOf(bands) : usualLegend).map((name, index) => ({ name, color: colorOf(index) })),
              { name: 'Four weeks ago', color: 'var(--chart-in)', isHatched: true },
            ]}
          />
          <ExportButtons name="open-by-severity-and-age" table={summary && drawnAges(summary, bands, then)} />
        </>
      }
    >
      <table className={classes.figures} aria-label="Open findings by severity" aria-busy={summary === undefined}>
        <thead>
          <tr>
            <th scope="col" className={classes.severity}>
              Severity
            </th>
            <th scope="col" aria-hidden />
            <th scope="col">Now</th>
            <th scope="col">4 weeks ago</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {severities.map((severity) => {
            const now = summary?.by_severity[severity] ?? 0;
            return (
              <tr key={severity}>
                <th scope="row">
                  <SeverityMark severity={severity} />
                </th>
                <td>
                  <Bar bands={bands} severity={severity} then={then(severity)} max={max} />
                </td>
                <td>
                  <Link to={paths.findings} search={{ ...openFindings, severity } as never}>
                    {summary ? formatCount(now) : '–'}
                  </Link>
                </td>
                <td>{summary ? formatCount(then(severity)) : '–'}</td>
                <td>{summary && <Change difference={now - then(severity)} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}
