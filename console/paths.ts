/** The path of each page, and the second key of its `g …` shortcut. */
export const paths = {
  overview: '/overview',
  findings: '/findings',
  decisions: '/decisions',
  scans: '/scans',
  dataSources: '/data-sources',
  schedules: '/schedules',
  reports: '/reports',
  organization: '/organization',
  audit: '/audit',
  profile: '/profile',
  start: '/start',
  signIn: '/sign-in',
  acceptInvitation: '/accept-invitation',
  resetPassword: '/reset-password',
  confirmEmail: '/confirm-email',
} as const;

/** The pages that need no session. */
export const publicPaths: readonly string[] = [
  paths.signIn,
  paths.acceptInvitation,
  paths.resetPassword,
  paths.confirmEmail,
];

/** The parameters of the page's address. Pages behind the sign-in have those of the router. */
export const pageParameters = (): Record<string, string | undefined> =>
  Object.fromEntries(new URLSearchParams(location.search));

/** The address of the sign-in, which returns to a page. */
export const signInAddress = (page = location.pathname + location.search): string =>
  `${paths.signIn}?${new URLSearchParams({ redirect: page })}`;

/** Returns a path within the console that is safe to open after sign-in; the overview for anything else. */
export function ownPath(value: unknown): string {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value)) return paths.overview;
  const url = new URL(value, location.origin);
  return url.origin === location.origin ? url.pathname + url.search + url.hash : paths.overview;
}
