import type { FindingProgress, Severity } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { policyQuery } from '../../api/policy.ts';
import { useMay } from '../../api/session.ts';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { SeverityMark } from '../findings/marks.tsx';
import { formatCount, severities } from '../findings/words.ts';
import { ExportButtons } from './export-buttons.tsx';
import classes from './overview.module.css';
import { progressQuery, repairDays } from './queries.ts';

type Repairs = FindingProgress['repairs'];
type Figures = Repairs['before'];

/** The share of due dates that were kept, 0 to 1; null if nothing was due. */
export const keptShare = ({ due_kept: kept, due_missed: missed }: Figures): number | null =>
  kept + missed === 0 ? null : kept / (kept + missed);

export const daysWords = (days: number | null): string =>
  days === null
    ? '–'
    : days < 1
      ? `${Math.max(1, Math.round(days * 24))} h`
      : `${days < 10 ? Number(days.toFixed(1)) : formatCount(Math.round(days))} d`;

export const percent = (share: number | null): string => (share === null ? '–' : `${Math.round(share * 100)} %`);

/** A change in words; more is better for what was kept, and worse for days. */
export function Difference({
  now,
  then,
  unit,
  isGood,
}: {
  now: number | null;
  then: number | null;
  unit: string;
  isGood: 'more' | 'less';
}) {
  if (now === null) return <>nothing was fixed in {repairDays} days</>;
  if (then === null) return <>nothing to compare with yet</>;
  const difference = Math.round((now - then) * 10) / 10;
  if (difference === 0) return <>as in the {repairDays} days before</>;
  const isMore = difference > 0;
  const words = `${Math.abs(difference).toLocaleString('en')} ${unit} ${isMore ? 'more' : 'less'}`;
  return (
    <>
      <span className={isMore === (isGood === 'more') ? classes.better : classes.worse}>{words}</span> than in the{' '}
      {repairDays} days before
    </>
  );
}

/** The times to fix and the share of due dates that were kept, by severity. */
export function RepairTable() {
  const { data, error, refetch } = useQuery(progressQuery(repairDays));
  const mayPolicy = useMay('organization:read');
  const policy = useQuery({ ...policyQuery, enabled: mayPolicy });
  const limitOf = (severity: Severity) => daysWords(policy.data?.days_to_fix[severity].medium ?? null);
  return (
    <Section
      title="Time to fix and due dates kept"
      lead={`Fixed in the last ${repairDays} days, against the due dates at that time. Limits are those of data sources of medium criticality.`}
      actions={<ExportButtons name="time-to-fix" table={data && drawnRepairs(data, limitOf)} />}
    >
      {error && !data ? (
        <Failure error={error} onRetry={() => refetch()} />
      ) : (
        <table className={classes.repairs} aria-label="Time to fix and due dates kept" aria-busy={data === undefined}>
          <thead>
            <tr>
              {repairHeader.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {severities.map((severity) => (
              <RepairRow
                key={severity}
                severity={severity}
                repairs={data?.repairs_by_severity[severity]}
                limit={limitOf(severity)}
              />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

const repairHeader = ['Severity', 'Limit', 'Fixed', 'Mean', '90 %', 'Mean before', 'Kept'];

function drawnRepairs(progress: FindingProgress, limitOf: (severity: Severity) => string) {
  return {
    title: 'Time to fix and due dates kept',
    header: repairHeader,
    rows: severities.map((severity) => {
      const repairs = progress.repairs_by_severity[severity];
      const { fixed, mean_days: mean, p90_days: p90, before } = repairs;
      const kept = keptShare(repairs);
      return {
        cells: [
          severity,
          limitOf(severity),
          String(fixed),
          daysWords(mean),
          daysWords(p90),
          daysWords(before.mean_days),
          percent(kept),
        ],
        parts: kept === null ? [] : [{ from: 0, to: kept, color: 'var(--chart-out)' }],
      };
    }),
  };
}

type RepairRowProps = { severity: Severity; repairs: Repairs | undefined; limit: string };

/** Until the repairs are loaded, the row has dashes and its final size. */
function RepairRow({ severity, repairs, limit }: RepairRowProps) {
  const kept = repairs ? keptShare(repairs) : null;
  return (
    <tr>
      <th scope="row">
        <SeverityMark severity={severity} />
      </th>
      <td>{limit}</td>
      <td>{repairs ? formatCount(repairs.fixed) : '–'}</td>
      <td>
        <b>{daysWords(repairs?.mean_days ?? null)}</b>
      </td>
      <td>{daysWords(repairs?.p90_days ?? null)}</td>
      <td>{daysWords(repairs?.before.mean_days ?? null)}</td>
      <td className={classes.kept}>
        {kept !== null && (
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect width={100} height={4} fill="var(--line)" />
            <rect width={kept * 100} height={4} fill="var(--chart-out)" />
          </svg>
        )}
        <b>{percent(kept)}</b>
      </td>
    </tr>
  );
}
