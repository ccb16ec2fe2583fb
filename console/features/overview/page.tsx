import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { plural } from '../findings/words.ts';
import classes from './overview.module.css';
import { Ages, EndingAcceptances, Flow, RecentScans, Severities, TopDataSources, TopRules } from './parts.tsx';
import { openQuery } from './queries.ts';

/** Whether there is nothing yet in this organization, so that the first steps say more than empty figures. */
function useIsEmpty(total: number | undefined): boolean {
  const maySee = useMay('sources:read');
  const { data } = useQuery({ ...dataSourceChoicesQuery, enabled: maySee && total === 0 });
  return total === 0 && data?.length === 0;
}

export default function OverviewPage() {
  const [search, change] = useUrl();
  const query = useQuery(openQuery);
  const mayScans = useMay('scans:read');
  const days = search.days === '90' ? 90 : 30;
  if (useIsEmpty(query.data?.total)) return <Navigate to={paths.start} replace />;
  return (
    <Page title="Overview" lead={query.data && `${plural(query.data.open, 'open finding')}.`}>
      <Load query={query}>
        {(summary) => (
          <>
            <Severities counts={summary.by_severity} />
            <Flow
              days={days}
              onDays={(value) => change({ days: value === 30 ? '' : String(value) }, { replace: true })}
            />
            <div className={classes.columns}>
              <Ages ages={summary.by_age} approximate={summary.approximate} />
              <TopDataSources sources={summary.by_data_source} />
              <TopRules rules={summary.by_rule} approximate={summary.approximate} />
              {mayScans && <RecentScans />}
            </div>
            <EndingAcceptances />
          </>
        )}
      </Load>
    </Page>
  );
}
