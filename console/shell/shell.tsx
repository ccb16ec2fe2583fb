import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { followEvents } from '../api/live.ts';
import { useOnline } from '../api/online.ts';
import { openFindingsQuery } from '../api/open-findings.ts';
import { type Preferences, savePreferences, usePreferences } from '../api/preferences.ts';
import { permissionsOf, useProfile } from '../api/session.ts';
import { useUnmade } from '../api/unmade-changes.ts';
import { listenToKeys, setSingleKeys, useCommands } from '../keys/registry.ts';
import { paths } from '../paths.ts';
import { useComputedColorScheme, useMantineColorScheme } from '../ui/hooks.ts';
import { IconHelp, IconMoon, IconSearch, IconSun } from '../ui/icons.ts';
import { showError, Toasts } from '../ui/toasts.tsx';
import { type NavigationEntry, navigation } from './navigation.ts';
import { OrganizationMenu } from './organization-menu.tsx';
import { ProfileMenu } from './profile-menu.tsx';
import classes from './shell.module.css';

const KeySheet = lazy(() => import('../keys/key-sheet.tsx').then(({ KeySheet: page }) => ({ default: page })));
const Palette = lazy(() => import('../keys/palette.tsx').then(({ Palette: page }) => ({ default: page })));

const count = new Intl.NumberFormat('en', { notation: 'compact' });

/** The time in which the page itself is read before the navigation counts: counting slows down what else is read. */
const countAfterMs = 500;

function useOpenFindings(online: boolean): number | undefined {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), countAfterMs);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    ...openFindingsQuery(),
    enabled: ready,
    // While the server is away, this is what notices that it is back.
    refetchInterval: online ? 60_000 : 5_000,
  });
  return data?.open;
}

function NavigationLink({ entry, badge }: { entry: NavigationEntry; badge?: number | undefined }) {
  const Icon = entry.icon;
  return (
    <Link to={entry.path} className={`${classes.link} ${entry.second ? classes.wide : ''}`} title={entry.label}>
      <Icon size={18} stroke={1.8} aria-hidden />
      <span className={classes.label}>{entry.label}</span>
      {badge !== undefined && (
        <span className={classes.count}>
          {count.format(badge)}
          <span className="visually-hidden"> open</span>
        </span>
      )}
    </Link>
  );
}

/** Uses the colours that the person chose, on every device. */
function useTheme(theme: Preferences['theme']) {
  // Without "keepTransitions" it would write a style element, which the policy of the page forbids.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is another one each time and does the same
  useEffect(() => setColorScheme(theme === 'system' ? 'auto' : theme), [theme]);
}

const setTheme = (theme: Preferences['theme']) => void savePreferences({ theme }).catch(showError);

/** Commands that work on every page. */
function useGlobalCommands(entries: NavigationEntry[], open: (dialog: 'keys' | 'palette') => void) {
  const navigate = useNavigate();
  const dark = useComputedColorScheme() === 'dark';
  useCommands([
    { keys: ['Ctrl+k'], label: 'Search commands', section: 'Everywhere', run: () => open('palette'), unlisted: true },
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

/** The frame of every page for signed-in people: navigation, dialogs, messages. */
export function Shell() {
  const profile = useProfile();
  const [dialog, setDialog] = useState<'keys' | 'palette' | null>(null);
  const entries = navigation.filter(({ permission }) => permissionsOf(profile).includes(permission));
  const online = useOnline();
  const open = useOpenFindings(online);
  const waiting = useUnmade().filter(({ state }) => state === 'waiting').length;
  useEffect(listenToKeys, []);
  useEffect(followEvents, []);
  const { single_keys: singleKeys, theme } = usePreferences();
  useEffect(() => setSingleKeys(singleKeys), [singleKeys]);
  useTheme(theme);
  useGlobalCommands(entries, setDialog);
  const dark = useComputedColorScheme() === 'dark';
  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        Skip to the page
      </a>
      <nav className={classes.nav} aria-label="Main">
        <OrganizationMenu />
        {entries.map((entry) => (
          <span key={entry.path} style={{ display: 'contents' }}>
            {entry.second && entry === entries.find(({ second }) => second) && <hr className={classes.divider} />}
            <NavigationLink entry={entry} badge={entry.path === paths.findings ? open : undefined} />
          </span>
        ))}
        <span className={classes.spacer} />
        <button type="button" className={`${classes.link} ${classes.wide}`} onClick={() => setDialog('palette')}>
          <IconSearch size={18} stroke={1.8} aria-hidden />
          <span className={classes.label}>Commands</span>
          <span className={classes.count}>Ctrl K</span>
        </button>
        <button type="button" className={`${classes.link} ${classes.wide}`} onClick={() => setDialog('keys')}>
          <IconHelp size={18} stroke={1.8} aria-hidden />
          <span className={classes.label}>Keys</span>
          <span className={classes.count}>?</span>
        </button>
        <button
          type="button"
          className={`${classes.link} ${classes.wide}`}
          onClick={() => setTheme(dark ? 'light' : 'dark')}
        >
          {dark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
          <span className={classes.label}>{dark ? 'Light colours' : 'Dark colours'}</span>
        </button>
        <ProfileMenu entries={entries.filter(({ second }) => second)} />
      </nav>
      <main id="main" tabIndex={-1} className={classes.main}>
        {!online && (
          <p role="status" className={classes.offline}>
            The connection to the server is lost. Changes of single findings wait in this tab until it is back
            {waiting > 0 && `: ${waiting} waiting`}.
          </p>
        )}
        <Outlet />
      </main>
      <Suspense>
        {dialog === 'keys' && <KeySheet onClose={() => setDialog(null)} />}
        {dialog === 'palette' && <Palette onClose={() => setDialog(null)} />}
      </Suspense>
      <Toasts />
    </div>
  );
}
