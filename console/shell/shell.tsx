import type { Preferences } from '@assay/client';
import { useIsFetching, useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { callServer } from '../api/call.ts';
import { followEvents } from '../api/live.ts';
import { useOnline } from '../api/online.ts';
import { openFindingsQuery } from '../api/open-findings.ts';
import { openRequestsQuery } from '../api/open-requests.ts';
import { switchOrganization } from '../api/organizations.ts';
import { forgetPending, usePending } from '../api/pending-changes.ts';
import { savePreferences, usePreferences } from '../api/preferences.ts';
import { permissionsOf, useProfile } from '../api/session.ts';
import { useWaitingReason } from '../api/waiting.ts';
import { forgetRecent } from '../features/search/recent.ts';
import { listenToKeys, setSingleKeys, useCommands } from '../keys/registry.ts';
import { paths } from '../paths.ts';
import { useComputedColorScheme, useMantineColorScheme, useMediaQuery } from '../ui/hooks.ts';
import {
  IconCheck,
  IconDots,
  IconExternalLink,
  IconHelp,
  IconKey,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSelector,
  IconSun,
  IconUser,
} from '../ui/icons.ts';
import { Menu } from '../ui/menu.ts';
import { showError, Toasts } from '../ui/toasts.tsx';
import { type NavigationEntry, navigation } from './navigation.ts';
import classes from './shell.module.css';

async function signOut() {
  try {
    await callServer('POST', '/auth/sign-out');
    forgetPending();
    forgetRecent();
    location.assign(paths.signIn);
  } catch (error) {
    showError(error);
  }
}

const isIn = (pathname: string, path: string) => pathname === path || pathname.startsWith(`${path}/`);

/** The person's own menu; on narrow screens it also has the entries that don't fit in the bar. */
function ProfileMenu({ entries, onSearch }: { entries: NavigationEntry[]; onSearch: () => void }) {
  const { name, email } = useProfile();
  const narrow = useMediaQuery('(max-width: 599px)') ?? false;
  const Icon = narrow ? IconDots : IconUser;
  const { pathname } = useLocation();
  // On a phone, the pages that the bar has no room for are in this menu.
  const isHere = narrow && !entries.some(({ bar, path }) => bar && isIn(pathname, path));
  return (
    <Menu position={narrow ? 'top-end' : 'top-start'} width={220}>
      <Menu.Target>
        <button
          type="button"
          className={classes.link}
          data-status={isHere ? 'active' : undefined}
          aria-label={narrow ? undefined : `Menu of ${name}`}
          title={narrow ? undefined : name}
        >
          <Icon size={16} stroke={1.5} aria-hidden />
          <span className={classes.label}>{narrow ? 'More' : name}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{email}</Menu.Label>
        {narrow && (
          <Menu.Item leftSection={<IconSearch size={16} aria-hidden />} onClick={onSearch}>
            Search
          </Menu.Item>
        )}
        <Menu.Item component={Link} to={paths.profile} leftSection={<IconUser size={16} aria-hidden />}>
          Profile
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={paths.profile}
          search={{ tab: 'tokens' } as never}
          leftSection={<IconKey size={16} aria-hidden />}
        >
          API tokens
        </Menu.Item>
        {entries
          .filter(({ bar, second }) => (narrow ? !bar : second))
          .map(({ path, label, icon: Of }) => (
            <Menu.Item key={path} component={Link} to={path} leftSection={<Of size={16} aria-hidden />}>
              {label}
            </Menu.Item>
          ))}
        <Menu.Item
          component="a"
          href="/api/v1/docs"
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The name of the organization; a menu for people who belong to several. */
function OrganizationMenu() {
  const { organization, organizations } = useProfile();
  const change = useMutation({
    mutationFn: switchOrganization,
    // All data on the page belongs to the old organization.
    onSuccess: () => location.assign(paths.overview),
    onError: showError,
  });
  const logo = <img src={document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href} alt="" />;
  if (organizations.length < 2) {
    return (
      <div className={classes.brand}>
        {logo}
        <span className={classes.label}>{organization.name}</span>
      </div>
    );
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className={`${classes.link} ${classes.brand}`} aria-label="Switch organization">
          {logo}
          <span className={classes.label}>{organization.name}</span>
          <IconSelector size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {organizations.map(({ id, name }) => (
          <Menu.Item
            key={id}
            leftSection={id === organization.id ? <IconCheck size={16} aria-hidden /> : <span />}
            onClick={() => id !== organization.id && change.mutate(id)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const KeySheet = lazy(() => import('../keys/key-sheet.tsx').then(({ KeySheet: page }) => ({ default: page })));
const Palette = lazy(() => import('../features/search/palette.tsx'));

/** Collects what is typed while the search is loading: the first letters are neither lost nor taken for keys. */
const TypedAhead = ({ onType }: { onType: (text: string) => void }) => (
  <input
    ref={(input) => input?.focus()}
    className="visually-hidden"
    aria-label="Search everything"
    onChange={({ currentTarget }) => onType(currentTarget.value)}
  />
);

function Search({ onClose }: { onClose: () => void }) {
  const typed = useRef('');
  const collect = (text: string) => {
    typed.current = text;
  };
  return (
    <Suspense fallback={<TypedAhead onType={collect} />}>
      <Palette typed={typed} onClose={onClose} />
    </Suspense>
  );
}

const count = new Intl.NumberFormat('en', { notation: 'compact' });

/** The delay before the navigation counts, so that the page loads first: counting slows down other requests. */
const countAfterMs = 500;

/** The numbers beside entries of the navigation: open findings, and requests that wait for this person. */
function useBadges(online: boolean): Record<string, Badge> {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), countAfterMs);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    ...openFindingsQuery(),
    enabled: ready,
    // While the server is unreachable, this request detects that it is back.
    refetchInterval: online ? 60_000 : 5_000,
  });
  const { id, permissions } = useProfile();
  const { data: requesters = [] } = useQuery({
    ...openRequestsQuery,
    enabled: ready && permissions.includes('findings:write'),
    refetchInterval: 60_000,
  });
  const toApprove = requesters.filter((by) => by !== id).length;
  return {
    ...(data && { [paths.findings]: { count: data.open, what: 'open' } }),
    ...(toApprove > 0 && { [paths.decisions]: { count: toApprove, what: 'to approve' } }),
  };
}

type Badge = { count: number; what: string };

function NavigationLink({ entry, badge }: { entry: NavigationEntry; badge?: Badge | undefined }) {
  const Icon = entry.icon;
  return (
    <Link to={entry.path} className={`${classes.link} ${entry.bar ? '' : classes.wide}`} title={entry.label}>
      <Icon size={16} stroke={1.5} aria-hidden />
      <span className={classes.label}>{entry.label}</span>
      {badge !== undefined && (
        <span className={classes.count}>
          {count.format(badge.count)}
          <span className="visually-hidden"> {badge.what}</span>
        </span>
      )}
    </Link>
  );
}

/** Applies the person's colour scheme on every device. */
function useTheme(theme: Preferences['theme']) {
  // Without "keepTransitions", Mantine would write a style element, which the page's policy forbids.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function differs each time but does the same
  useEffect(() => setColorScheme(theme === 'system' ? 'auto' : theme), [theme]);
}

const setTheme = (theme: Preferences['theme']) => void savePreferences({ theme }).catch(showError);

/** Commands that work on every page. */
function useGlobalCommands(entries: NavigationEntry[], open: (dialog: 'keys' | 'palette') => void) {
  const navigate = useNavigate();
  const dark = useComputedColorScheme() === 'dark';
  useCommands([
    { keys: ['Ctrl+k'], label: 'Search everything', section: 'Everywhere', run: () => open('palette'), unlisted: true },
    { keys: ['?'], label: 'Show the keys of this page', section: 'Everywhere', run: () => open('keys') },
    ...entries.map(({ key, label, path }) => ({
      ...(key && { keys: [`g ${key}`] }),
      label: `Go to ${label}`,
      section: 'Go to',
      run: () => void navigate({ to: path }),
    })),
    { label: 'Go to your profile', section: 'Go to', run: () => void navigate({ to: paths.profile }) },
    {
      label: dark ? 'Use light colours' : 'Use dark colours',
      section: 'Everywhere',
      run: () => setTheme(dark ? 'light' : 'dark'),
    },
  ]);
}

/** Says why the page is not there yet, while the server asks to repeat its requests. */
function WaitingNote() {
  const reason = useWaitingReason();
  const isLoading = useIsFetching({ type: 'active' }) > 0;
  if (reason === null || !isLoading) return null;
  // The server's last sentence asks people to try again, which the page does itself.
  return (
    <p role="status" className={classes.offline}>
      {reason.replace(/ Try again[^.]*\.$/, '')} This page continues by itself.
    </p>
  );
}

/** The frame of every page for signed-in people: navigation, dialogs, messages. */
export function Shell() {
  const profile = useProfile();
  const [dialog, setDialog] = useState<'keys' | 'palette' | null>(null);
  const entries = navigation.filter(({ permission }) => permissionsOf(profile).includes(permission));
  const online = useOnline();
  const badges = useBadges(online);
  const waiting = usePending().filter(({ state }) => state === 'waiting').length;
  useEffect(listenToKeys, []);
  useEffect(followEvents, []);
  const { single_keys: singleKeys, theme } = usePreferences();
  useEffect(() => setSingleKeys(singleKeys), [singleKeys]);
  useTheme(theme);
  useGlobalCommands(entries, setDialog);
  const dark = useComputedColorScheme() === 'dark';
  const colours = dark ? 'Light colours' : 'Dark colours';
  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        Skip to the page
      </a>
      <nav className={classes.nav} aria-label="Main">
        <OrganizationMenu />
        <button
          type="button"
          className={`${classes.link} ${classes.find} ${classes.wide}`}
          title="Search"
          onClick={() => setDialog('palette')}
        >
          <IconSearch size={16} stroke={1.5} aria-hidden />
          <span className={classes.label}>Search</span>
          <span className={classes.count}>Ctrl K</span>
        </button>
        {entries.map((entry) => (
          <span key={entry.path} style={{ display: 'contents' }}>
            {entry.second && entry === entries.find(({ second }) => second) && <hr className={classes.divider} />}
            <NavigationLink entry={entry} badge={badges[entry.path]} />
          </span>
        ))}
        <div className={classes.foot}>
          <ProfileMenu entries={entries} onSearch={() => setDialog('palette')} />
          <button
            type="button"
            className={`${classes.link} ${classes.icon} ${classes.wide}`}
            title="Keys (?)"
            aria-label="Keys"
            onClick={() => setDialog('keys')}
          >
            <IconHelp size={16} stroke={1.5} aria-hidden />
          </button>
          <button
            type="button"
            className={`${classes.link} ${classes.icon} ${classes.wide}`}
            title={colours}
            aria-label={colours}
            onClick={() => setTheme(dark ? 'light' : 'dark')}
          >
            {dark ? <IconSun size={16} stroke={1.5} aria-hidden /> : <IconMoon size={16} stroke={1.5} aria-hidden />}
          </button>
        </div>
      </nav>
      <main id="main" tabIndex={-1} className={classes.main}>
        {!online && (
          <p role="status" className={classes.offline}>
            Connection lost. Changes to single findings wait in this tab until it is back
            {waiting > 0 && `: ${waiting} waiting`}.
          </p>
        )}
        {online && <WaitingNote />}
        <Outlet />
      </main>
      <Suspense>{dialog === 'keys' && <KeySheet onClose={() => setDialog(null)} />}</Suspense>
      {dialog === 'palette' && <Search onClose={() => setDialog(null)} />}
      <Toasts />
    </div>
  );
}
