import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { openFindingsQuery } from '../../api/open-findings.ts';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { plural } from '../findings/words.ts';
import { News } from './changed.tsx';
import { Changes } from './changes-table.tsx';
import { Coverage } from './coverage.tsx';
import { Needs } from './needs.tsx';
import { NeedsAside } from './needs-aside.tsx';
import classes from './overview.module.css';
import { daysOf, lastView, rememberView, viewOf, views } from './parameters.ts';
import { EndingAcceptances, Flow, MostOverdue, RecentScans, TopDataSources, TopRules } from './parts.tsx';
import { emptyQuery, expiringQuery, progressQuery, week } from './queries.ts';
import { RepairTable } from './repairs.tsx';
import { Figures, SeveritiesByAge } from './standing.tsx';

/** Whether the organization is still empty: the first steps are then more useful than zeros. */
function useIsEmpty(open: number | undefined): boolean {
  const maySee = useMay('sources:read');
  const query = useQuery({ ...emptyQuery, enabled: maySee && open === 0 });
  return open === 0 && query.data === true;
}

/** Coverage, accepted risks that end soon, and the most overdue. Each waits for the one above, so that none moves. */
function StandingAside({ maySources }: { maySources: boolean }) {
  const covered = useQuery({ ...dataSourceChoicesQuery, enabled: maySources });
  const ending = useQuery(expiringQuery);
  const isCovered = !maySources || !covered.isPending;
  return (
    <>
      {maySources && <Coverage />}
      {isCovered && <EndingAcceptances />}
      {isCovered && !ending.isPending && <MostOverdue />}
    </>
  );
}

/** The scans, below the table of changes on a phone: they wait for it. */
function ChangedAside() {
  const changes = useQuery(progressQuery(week));
  return !changes.isPending && <RecentScans />;
}

/** Three questions, each with its own address. The last one opened is shown first. */
export default function OverviewPage() {
  const [search, change] = useUrl();
  const days = daysOf(search.days);
  const view = viewOf(search.view) ?? (search.days ? 'changed' : lastView());
  const query = useQuery({ ...openFindingsQuery(days), placeholderData: keepPreviousData });
  const [mayScans, maySources] = [useMay('scans:read'), useMay('sources:read')];
  const open = query.data?.open;
  useEffect(() => rememberView(view), [view]);
  if (useIsEmpty(open)) return <Navigate to={paths.start} replace />;
  const summary = query.data;
  return (
    <Page
      title="Overview"
      tabs={views.map(({ id, label }) => ({
        label,
        to: paths.overview,
        search: { view: id },
        current: id === view,
      }))}
      note={open === undefined ? 'Counting open findings …' : plural(open, 'open finding')}
    >
      {query.error && !query.data ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className={classes.question}>
          {view === 'stand' && <Figures summary={summary} />}
          <div className={classes.main}>
            {view === 'needs' && <Needs />}
            {view === 'changed' && (
              <>
                <News summary={summary} />
                <Flow
                  query={query}
                  days={days}
                  onDays={(value) => change({ days: value === 30 ? '' : String(value), view }, { replace: true })}
                />
                <Changes />
              </>
            )}
            {view === 'stand' && (
              <>
                <SeveritiesByAge summary={summary} />
                <RepairTable />
                <div className={classes.pair}>
                  <TopDataSources query={query} />
                  <TopRules query={query} />
                </div>
              </>
            )}
          </div>
          <div className={classes.aside}>
            {view === 'needs' && <NeedsAside mayScans={mayScans} />}
            {view === 'changed' && mayScans && <ChangedAside />}
            {view === 'stand' && <StandingAside maySources={maySources} />}
          </div>
        </div>
      )}
    </Page>
  );
}
