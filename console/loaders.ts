import { feedsQuery } from './api/feeds.ts';
import { openFindingsQuery } from './api/open-findings.ts';
import { dataSourceChoicesQuery, detectionSourcesQuery, memberChoicesQuery } from './api/pickers.ts';
import { policyQuery } from './api/policy.ts';
import { may, prefetch } from './api/prefetch.ts';
import { signInOptionsQuery } from './api/sign-in-options.ts';
import type { Search } from './api/use-url.ts';
import { eventPages } from './features/audit/queries.ts';
import { dataSourcePages, dataSourceQuery } from './features/data-sources/queries.ts';
import { decisionPages, shownOf } from './features/decisions/queries.ts';
import { arriveAt } from './features/findings/arrival.ts';
import { groupOf, sortOf } from './features/findings/parameters.ts';
import { facetsQuery, findingQuery, groupPages, listQuery } from './features/findings/queries.ts';
import { organizationQuery } from './features/organization/queries.ts';
import { daysOf, shownScans } from './features/overview/parameters.ts';
import { expiringQuery } from './features/overview/queries.ts';
import { failedSignInsQuery, passkeysQuery, sessionsQuery, tokensQuery } from './features/profile/queries.ts';
import { reportPages, reportQuery, scheduledReportPages } from './features/reports/queries.ts';
import {
  runningScansQuery,
  scanPages,
  scanQuery,
  scansOfDataSourceQuery,
  scansQuery,
} from './features/scans/queries.ts';
import { schedulePages } from './features/schedules/queries.ts';
import { firstNewQuery, latestScansQuery, summaryQuery } from './features/start/queries.ts';
import { readFilters } from './filters/parameters.ts';
import type { pages } from './pages.ts';

/** Starts to load a page's data while its link has the pointer or the focus, and while its scripts load. */
type Loader = (address: { id: string; search: Search }) => void;

function loadFindings(search: Search): void {
  const [filters, at, by] = [readFilters(search as Record<string, string>), arriveAt(), groupOf(search.group)];
  if (by === null) prefetch(listQuery(filters, sortOf(search.sort, filters), at));
  else prefetch(groupPages(filters, by, at));
  prefetch(facetsQuery(filters, at));
  if (search.open !== undefined) prefetch(findingQuery(search.open));
}

/** A loader for each page: the queries that the page reads first. */
export const loaders: Record<keyof typeof pages, Loader> = {
  '/overview': ({ search }) => {
    prefetch(openFindingsQuery(daysOf(search.days)));
    if (search.view === 'stand') prefetch(expiringQuery);
    else if (may('scans:read')) prefetch(scansQuery(shownScans));
  },
  '/findings': ({ search }) => loadFindings(search),
  '/findings/$id': ({ id }) => prefetch(findingQuery(id)),
  '/decisions': ({ search }) => prefetch(decisionPages(shownOf(search.tab)), dataSourceChoicesQuery),
  '/scans': ({ search }) =>
    prefetch(
      detectionSourcesQuery,
      ...(search.tab === 'scanners' ? [feedsQuery] : [runningScansQuery, scanPages(search)]),
    ),
  '/scans/$id': ({ id }) => prefetch(scanQuery(id), detectionSourcesQuery),
  '/data-sources': ({ search }) => prefetch(dataSourcePages(search), detectionSourcesQuery),
  '/data-sources/$id': ({ id }) => prefetch(dataSourceQuery(id), scansOfDataSourceQuery(id), detectionSourcesQuery),
  '/schedules': () => prefetch(schedulePages, detectionSourcesQuery, dataSourceChoicesQuery),
  '/reports': ({ search }) => prefetch(search.tab === 'scheduled' ? scheduledReportPages : reportPages),
  '/reports/$id': ({ id }) => prefetch(reportQuery(id)),
  '/organization': () => prefetch(organizationQuery, policyQuery, memberChoicesQuery),
  '/audit': ({ search }) => prefetch(eventPages(search)),
  '/profile': () => prefetch(tokensQuery, passkeysQuery, sessionsQuery, failedSignInsQuery, signInOptionsQuery),
  '/start': () => prefetch(dataSourceChoicesQuery, latestScansQuery, summaryQuery, firstNewQuery),
};
