import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { noteSession } from './api/early.ts';
import { isEmptyOrganization } from './api/emptiness.ts';
import { isSignedOut } from './api/errors.ts';
import { preferencesQuery } from './api/preferences.ts';
import { queryClient } from './api/query-client.ts';
import { profileQuery } from './api/session.ts';
import { paths } from './paths.ts';
import { PageError, PageNotFound } from './shell/page-error.tsx';
import { SignedIn } from './signed-in.tsx';
import { Skeleton } from './ui/states.tsx';

/** Parameters of the URL: always text, so that `/findings?tag=5` stays what was typed. */
type Search = Record<string, string>;

const root = createRootRoute({ component: Outlet, notFoundComponent: PageNotFound });

/** Everything behind the sign-in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedIn,
  beforeLoad: async ({ location }) => {
    try {
      // Preferences decide on colours and columns: without them the page would change at once.
      const preferences = queryClient.prefetchQuery(preferencesQuery);
      await queryClient.ensureQueryData(profileQuery);
      await preferences;
      noteSession(true);
    } catch (error) {
      if (isSignedOut(error)) noteSession(false);
      if (isSignedOut(error)) throw redirect({ to: paths.signIn, search: { redirect: location.href } });
      throw error;
    }
  },
});

const textOnly = (search: Record<string, unknown>): Search =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );

type PageModule = () => Promise<{ default: () => React.ReactNode }>;

const page = (path: string, load: PageModule) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    validateSearch: textOnly,
    component: lazyRouteComponent(load),
  });

const publicPage = (path: string, load: PageModule) =>
  createRoute({ getParentRoute: () => root, path, validateSearch: textOnly, component: lazyRouteComponent(load) });

const routeTree = root.addChildren([
  signedIn.addChildren([
    createRoute({
      getParentRoute: () => signedIn,
      path: '/',
      beforeLoad: async () => {
        throw redirect({ to: (await isEmptyOrganization()) ? paths.start : paths.overview });
      },
    }),
    page(paths.overview, () => import('./features/overview/page.tsx')),
    page(paths.findings, () => import('./features/findings/page.tsx')),
    page(`${paths.findings}/$id`, () => import('./features/findings/finding-page.tsx')),
    page(paths.scans, () => import('./features/scans/page.tsx')),
    page(`${paths.scans}/$id`, () => import('./features/scans/scan-page.tsx')),
    page(paths.dataSources, () => import('./features/data-sources/page.tsx')),
    page(`${paths.dataSources}/$id`, () => import('./features/data-sources/data-source-page.tsx')),
    page(paths.schedules, () => import('./features/schedules/page.tsx')),
    page(paths.reports, () => import('./features/reports/page.tsx')),
    page(`${paths.reports}/$id`, () => import('./features/reports/report-page.tsx')),
    page(paths.organization, () => import('./features/organization/page.tsx')),
    page(paths.audit, () => import('./features/audit/page.tsx')),
    page(paths.profile, () => import('./features/profile/page.tsx')),
    page(paths.start, () => import('./features/start/page.tsx')),
    createRoute({ getParentRoute: () => signedIn, path: '$', component: PageNotFound }),
  ]),
  publicPage(paths.signIn, () => import('./features/sign-in/page.tsx')),
  publicPage(paths.acceptInvitation, () => import('./features/sign-in/accept-invitation-page.tsx')),
  publicPage(paths.resetPassword, () => import('./features/sign-in/reset-password-page.tsx')),
  publicPage(paths.confirmEmail, () => import('./features/sign-in/confirm-email-page.tsx')),
]);

/** Writes parameters as they are read by people: `severity=critical,high`, without quotes or JSON. */
function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = entries
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(String(value)).replaceAll('%2C', ',').replaceAll('%3A', ':')}`,
    )
    .join('&');
  return text === '' ? '' : `?${text}`;
}

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Skeleton rows={8} />,
  defaultPendingMs: 150,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
