import type { Finding, Scan } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { assay } from '../../api/client.ts';
import { useUrl } from '../../api/use-url.ts';
import { paths } from '../../paths.ts';
import { Choice, Select } from '../../ui/choice-fields.tsx';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { formatTime } from '../../ui/time.tsx';
import { SeverityMark } from '../findings/marks.tsx';
import { formatCount, placeBesideTitle } from '../findings/words.ts';
import { isRunning } from './queries.ts';
import classes from './scans.module.css';

/** Scans between the two that are compared: a filter names that many. */
const maxScans = 50;
const shownFindings = 50;

const changes = ['new', 'reopened', 'resolved'] as const;
type Change = (typeof changes)[number];
const changeNames: Record<Change, string> = { new: 'New', reopened: 'Came back', resolved: 'Gone' };

/** Earlier scans of the same scanner with findings of their own, newest first. */
const earlierQuery = ({ id, source }: Scan) => ({
  queryKey: ['scans', 'earlier', id],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { data } = await assay.scans.list({ source: [source], limit: maxScans * 2 }, { signal });
    // Ids rise with time.
    return data.filter((other) => other.id < id && !isRunning(other));
  },
});

const fields = ['id', 'number', 'title', 'severity', 'status', 'location', 'data_source'] as const;
type Listed = Pick<Finding, (typeof fields)[number]>;

/** The filter for what the scans after one changed in this way, and what is still so. */
const filtersOf = (scans: readonly Scan[], change: Change) => ({
  scan: scans.map(({ id }) => `${id}:${change}`),
  status: (change === 'resolved'
    ? ['resolved']
    : ['new', 'triaged', 'in_progress', 'false_positive', 'accepted_risk']) as Finding['status'][],
});

const changedQuery = (scans: readonly Scan[], change: Change) => ({
  queryKey: ['findings', 'compared', change, scans.map(({ id }) => id)],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<{ total: number; findings: Listed[] }> => {
    const filters = filtersOf(scans, change);
    const [{ total }, { data }] = await Promise.all([
      assay.findings.facets({ ...filters, field: ['severity'] }, { signal }),
      assay.findings.list({ ...filters, sort: '-priority', limit: shownFindings, fields: [...fields] }, { signal }),
    ]);
    return { total, findings: data };
  },
  staleTime: 30_000,
});

function Changes({ scans }: { scans: readonly Scan[] }) {
  const [{ change: asked }, change] = useUrl();
  const queries = {
    new: useQuery(changedQuery(scans, 'new')),
    reopened: useQuery(changedQuery(scans, 'reopened')),
    resolved: useQuery(changedQuery(scans, 'resolved')),
  };
  const chosen = changes.find((one) => one === asked) ?? changes.find((one) => queries[one].data?.total) ?? 'new';
  const label = (one: Change) => {
    const total = queries[one].data?.total;
    return total === undefined ? changeNames[one] : `${changeNames[one]} ${formatCount(total)}`;
  };
  const { scan, status } = filtersOf(scans, chosen);
  return (
    <>
      <div className={classes.kinds}>
        <Choice
          label="Changes"
          value={chosen}
          onChange={(value) => change({ change: value }, { replace: true })}
          options={changes.map((value) => ({ value, label: label(value) }))}
        />
      </div>
      <Load query={queries[chosen]} rows={4}>
        {({ total, findings }) =>
          findings.length === 0 ? (
            <p className={classes.none}>None.</p>
          ) : (
            <>
              <ul className={classes.changes} aria-label={changeNames[chosen]}>
                {findings.map((finding) => (
                  <li key={finding.id}>
                    <SeverityMark severity={finding.severity} />
                    <Link to={`${paths.findings}/$id`} params={{ id: finding.id }}>
                      {finding.title}
                    </Link>
                    <span className={classes.place}>{placeBesideTitle(finding)}</span>
                    <span>{finding.data_source.name}</span>
                  </li>
                ))}
              </ul>
              <Link to={paths.findings} search={{ scan: scan.join(), status: status.join() } as never}>
                {total > findings.length ? `All ${formatCount(total)} in Findings` : 'Open in Findings'}
              </Link>
            </>
          )
        }
      </Load>
    </>
  );
}

/** The findings that came, came back and went between an earlier scan of the same scanner and this one. */
export function Comparison({ scan }: { scan: Scan }) {
  const [{ compare }, change] = useUrl();
  const { data: earlier } = useQuery({ ...earlierQuery(scan), enabled: !isRunning(scan) });
  if (!earlier || earlier.length === 0) return null;
  const index = Math.max(
    0,
    earlier.findIndex(({ id }) => id === compare),
  );
  // Each scan knows its own changes: together they are the difference.
  const since = [scan, ...earlier.slice(0, index)].slice(0, maxScans);
  return (
    <Section
      title="Compared with"
      lead="Shows the findings as they are now. One that came and went between the two scans is in neither list."
      actions={
        <Select
          label="An earlier scan"
          isLabelHidden
          value={earlier[index]!.id}
          onChange={(id) => change({ compare: id, change: '' })}
          options={earlier
            .slice(0, maxScans)
            .map(({ id, created_at }) => ({ value: id, label: formatTime(created_at) }))}
        />
      }
    >
      <Changes scans={since} />
    </Section>
  );
}
