import type { paths } from './paths.ts';

type Path = (typeof paths)[keyof typeof paths];
type Page = () => Promise<{ default: () => React.ReactNode }>;

/** The pages behind the sign-in. The build reads this table: each page's HTML names the scripts that the page needs. */
export const pages = {
  '/overview': () => import('./features/overview/page.tsx'),
  '/findings': () => import('./features/findings/page.tsx'),
  '/findings/$id': () => import('./features/findings/finding-page.tsx'),
  '/decisions': () => import('./features/decisions/page.tsx'),
  '/scans': () => import('./features/scans/page.tsx'),
  '/scans/$id': () => import('./features/scans/scan-page.tsx'),
  '/data-sources': () => import('./features/data-sources/page.tsx'),
  '/data-sources/$id': () => import('./features/data-sources/data-source-page.tsx'),
  '/schedules': () => import('./features/schedules/page.tsx'),
  '/reports': () => import('./features/reports/page.tsx'),
  '/reports/$id': () => import('./features/reports/report-page.tsx'),
  '/organization': () => import('./features/organization/page.tsx'),
  '/audit': () => import('./features/audit/page.tsx'),
  '/profile': () => import('./features/profile/page.tsx'),
  '/start': () => import('./features/start/page.tsx'),
} satisfies Partial<Record<Path | `${Path}/$id`, Page>>;

/** The pages that need no session. */
export const publicPages = {
  '/sign-in': () => import('./features/sign-in/page.tsx'),
  '/accept-invitation': () => import('./features/sign-in/accept-invitation-page.tsx'),
  '/reset-password': () => import('./features/sign-in/reset-password-page.tsx'),
  '/confirm-email': () => import('./features/sign-in/confirm-email-page.tsx'),
} satisfies Partial<Record<Path, Page>>;
