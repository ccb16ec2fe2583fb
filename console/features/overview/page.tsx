import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { openFindingsQuery } from '../../api/open-findings.ts';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { plural } from '../findings/words.ts';
import classes from './overview.module.css';
import { daysOf } from './parameters.ts';
import { Ages, EndingAcceptances, Flow, RecentScans, Severities, TopDataSources, TopRules } from './parts.tsx';
import { emptyQuery } from './queries.ts';

/** Whether there is nothing yet in this organization, so that the first steps say more than empty figures. */
function useIsEmpty(open: number | undefined): boolean {
  const maySee = useMay('sources:read');
  const query = useQuery({ ...emptyQuery, enabled: maySee && open === 0 });
  return open === 0 && query.data === true;
}

/** All sections are there from the start, each with room for its content, so that nothing moves when figures arrive. */
export default function OverviewPage() {
  const [search, change] = useUrl();
  const days = daysOf(search.days);
  const query = useQuery({ ...openFindingsQuery(days), placeholderData: keepPreviousData });
  const mayScans = useMay('scans:read');
  const open = query.data?.open;
  if (useIsEmpty(open)) return <Navigate to={paths.start} replace />;
  return (
    <Page title="Overview" lead={open === undefined ? 'Counting open findings …' : `${plural(open, 'open finding')}.`}>
      {query.error && !query.data ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <Severities counts={query.data?.by_severity} />
          <Flow
            query={query}
            days={days}
            onDays={(value) => change({ days: value === 30 ? '' : String(value) }, { replace: true })}
          />
          <div className={classes.columns}>
            <Ages query={query} />
            <TopDataSources query={query} />
            <TopRules query={query} />
            {mayScans && <RecentScans />}
          </div>
        </>
      )}
      <EndingAcceptances />
    </Page>
  );
}
