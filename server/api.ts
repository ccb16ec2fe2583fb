import type { Context } from './context.ts';
import { dataSourceRoutes } from './data-sources/routes.ts';
import { bulkRoutes } from './decisions/bulk/routes.ts';
import { oneFindingRoutes } from './decisions/finding-routes.ts';
import { decisionRoutes } from './decisions/routes.ts';
import { feedRoutes } from './detection/advisories/feed-routes.ts';
import { importRoutes } from './detection/imports/routes.ts';
import { scanRoutes } from './detection/scans/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { findingRoutes } from './findings/routes.ts';
import { viewRoutes } from './findings/views/routes.ts';
import { memberAccessRoutes } from './identity/member-access/routes.ts';
import { identityRoutes } from './identity/profile/routes.ts';
import { signInRoutes } from './identity/sign-in/routes.ts';
import { operationRoutes } from './operation/routes.ts';
import { auditRoutes } from './organization/audit/routes.ts';
import { organizationRoutes } from './organization/routes.ts';
import type { RouteDefinition } from './platform/http/route.ts';
import { reportRoutes } from './reports/routes.ts';
import { scheduleRoutes } from './schedules/routes.ts';
import { scheduledReportRoutes } from './schedules/scheduled-report-routes.ts';

/** Every endpoint of the API, one line per slice. */
export const routes: RouteDefinition<Context>[] = [
  ...findingRoutes,
  ...oneFindingRoutes,
  ...bulkRoutes,
  ...viewRoutes,
  ...decisionRoutes,
  ...scanRoutes,
  ...importRoutes,
  ...feedRoutes,
  ...reportRoutes,
  ...scheduleRoutes,
  ...scheduledReportRoutes,
  ...dataSourceRoutes,
  ...organizationRoutes,
  ...memberAccessRoutes,
  ...auditRoutes,
  ...identityRoutes,
  ...eventRoutes,
  ...operationRoutes,
];

/** Every endpoint outside the prefix of the API. */
export const outsideRoutes: RouteDefinition<Context>[] = [...signInRoutes];
