import type { FindingSummary, Severity } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFeed } from '../../api/feeds.ts';
import { openFindings } from '../../api/summary-parameters.ts';
import { Legend } from '../../charts/legend.tsx';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/page.tsx';
import { SeverityMark } from '../findings/marks.tsx';
import { builtInViews } from '../findings/views.ts';
import { formatCount, severities } from '../findings/words.ts';
import classes from './overview.module.css';
import { bandsOf, totalQuery } from './queries.ts';

const fourWeeks = 28;

/** Returns the number of findings of a severity open four weeks ago, computed from those opened and closed since. */
const openThen = ({ daily, by_severity }: FindingSummary, severity: Severity): number =>
  daily
    .slice(-fourWeeks)
    .reduce((open, { by_severity: day }) => open - day[severity].opened + day[severity].closed, by_severity[severity]);

const signed = (difference: number) =>
  difference > 0 ? `+${formatCount(difference)}` : formatCount(difference).replace('-', '−');

function Change({ now, then }: { now: number; then: number }) {
  const difference = now - then;
  const kind = difference > 0 ? classes.worse : difference < 0 ? classes.better : '';
  return <span className={kind}>{difference === 0 ? '–' : signed(difference)}</span>;
}

/** A number that links to a list of findings. */
function Figure({ name, id, note }: { name: string; id: 'overdue' | 'exploited' | 'accepted'; note: string }) {
  const filters = figures[id];
  const { data } = useQuery(totalQuery(filters));
  const isUnknown = useFeed('kev')?.status === 'not_loaded' && id === 'exploited';
  return (
    <Link to={paths.findings} search={filters as never} className={classes.figure ?? ''}>
      <span className={classes.name}>{name}</span>
      <span className={classes.count}>{isUnknown ? 'Unknown' : data === undefined ? '–' : formatCount(data)}</span>
      <span className={classes.note}>{isUnknown ? 'The list of CISA is not loaded' : note}</span>
    </Link>
  );
}

const figures = {
  overdue: { ...openFindings, overdue: 'true' },
  exploited: builtInViews.find(({ id }) => id === 'exploited')!.filters,
  accepted: { status: 'accepted_risk' },
};

/** The open findings compared with four weeks ago, and those late, exploited or accepted. */
export function Figures({ summary }: { summary: FindingSummary | undefined }) {
  const open = summary?.open;
  const then = summary && severities.reduce((total, severity) => total + openThen(summary, severity), 0);
  return (
    <div className={classes.tiles} aria-busy={summary === undefined}>
      <Link to={paths.findings} search={openFindings as never} className={classes.figure ?? ''}>
        <span className={classes.name}>Open</span>
        <span className={classes.count}>{open === undefined ? '–' : formatCount(open)}</span>
        <span className={classes.note}>
          {open !== undefined && then !== undefined && (
            <>
              <Change now={open} then={then} /> against four weeks ago
            </>
          )}
        </span>
      </Link>
      <Figure name="Overdue" id="overdue" note="open after their due date" />
      <Figure name="Exploited" id="exploited" note="open and on the list of CISA" />
      <Figure name="Accepted" id="accepted" note="risks that are in force" />
    </div>
  );
}

/** The oldest bands share the strongest colour. */
const shades = 4;
const colorOf = (band: number) => `var(--age-${Math.min(band + 1, shades)})`;

/** The colours with their names. The last one stands for all older findings. */
const legendOf = (bands: Bands) =>
  bands.slice(0, shades).map(({ name }, index) => (index === shades - 1 ? `Over ${name.split(' ')[0]} days` : name));

type Bands = ReturnType<typeof bandsOf>;

function Bar({ bands, severity, then, max }: { bands: Bands; severity: Severity; then: number; max: number }) {
  const scale = 100 / Math.max(max, 1);
  let start = 0;
  return (
    <svg viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      {bands.map(({ name, counts }, index) => {
        const x = start;
        start += counts[severity] * scale;
        return <rect key={name} x={x} y={0} width={counts[severity] * scale} height={12} fill={colorOf(index)} />;
      })}
      <rect x={0} y={15} width={then * scale} height={4} fill="var(--chart-in)" />
    </svg>
  );
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
        <Legend
          entries={[
            ...legendOf(bands).map((name, index) => ({ name, color: colorOf(index) })),
            { name: 'Four weeks ago', color: 'var(--chart-in)' },
          ]}
        />
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
                <td>{summary && <Change now={now} then={then(severity)} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}
