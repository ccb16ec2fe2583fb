import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { noteSession } from './api/early.ts';
import { isEmptyOrganization } from './api/emptiness.ts';
import { isSignedOut } from './api/errors.ts';
import { preferencesQuery } from './api/preferences.ts';
import { queryClient } from './api/query-client.ts';
import { profileQuery } from './api/session.ts';
import { loaders } from './loaders.ts';
import { pages } from './pages.ts';
import { paths, signInAddress } from './paths.ts';
import { PageError, PageNotFound } from './shell/page-error.tsx';
import { SignedIn } from './shell/signed-in.tsx';
import { Skeleton } from './ui/states.tsx';

/** URL parameters: always strings, so that `/findings?tag=5` stays as typed. */
type Search = Record<string, string>;

const root = createRootRoute({ component: Outlet, notFoundComponent: PageNotFound });

/** All pages behind the sign-in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedIn,
  beforeLoad: async ({ location }) => {
    try {
      // Preferences determine colours and columns: without them, the page would change right after it appears.
      const preferences = queryClient.prefetchQuery(preferencesQuery);
      await queryClient.ensureQueryData(profileQuery);
      await preferences;
      noteSession(true);
    } catch (error) {
      if (isSignedOut(error)) noteSession(false);
      if (isSignedOut(error)) throw redirect({ href: signInAddress(location.href), reloadDocument: true });
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

/** `/findings/export` is a page of the API, not of a finding: only an id is sent to it. */
const isId = (text: string) => /^[a-z]{2,5}_[0-9a-z]{26}$/.test(text);

const pageRoutes = Object.entries(pages).map(([path, load]) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    validateSearch: textOnly,
    component: lazyRouteComponent<Record<'default', () => React.ReactNode>>(load),
    notFoundComponent: PageNotFound,
    loader: ({ cause, location, params }) => {
      const { id = '' } = params as { id?: string };
      if (id !== '' && !isId(id)) throw notFound();
      // A page that is already shown loads the data of a new address itself.
      if (cause !== 'stay')
        loaders[path as keyof typeof pages]({
          id,
          search: location.search as Search,
        });
    },
  }),
);

const routeTree = root.addChildren([
  signedIn.addChildren([
    createRoute({
      getParentRoute: () => signedIn,
      path: '/',
      beforeLoad: async () => {
        throw redirect({ to: (await isEmptyOrganization()) ? paths.start : paths.overview });
      },
    }),
    ...pageRoutes,
    createRoute({ getParentRoute: () => signedIn, path: '$', component: PageNotFound }),
  ]),
]);

/** Writes parameters in readable form: `severity=critical,high`, without quotes or JSON. */
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
  // The queries determine what is stale.
  defaultPreloadStaleTime: 0,
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
