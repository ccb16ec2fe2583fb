import { Link } from '@tanstack/react-router';
import { callServer } from '../api/call.ts';
import { useProfile } from '../api/session.ts';
import { forgetUnmade } from '../api/unmade-changes.ts';
import { paths } from '../paths.ts';
import { IconDots, IconExternalLink, IconLogout, IconUser } from '../ui/icons.ts';
import { Menu } from '../ui/menu.ts';
import { showError } from '../ui/toasts.tsx';
import type { NavigationEntry } from './navigation.ts';
import classes from './shell.module.css';

async function signOut() {
  try {
    await callServer('POST', '/auth/sign-out');
    forgetUnmade();
    location.assign(paths.signIn);
  } catch (error) {
    showError(error);
  }
}

/** The person's own menu; on narrow screens it holds what the bar has no room for. */
export function ProfileMenu({ entries }: { entries: NavigationEntry[] }) {
  const { name, email } = useProfile();
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <button type="button" className={classes.link} aria-label={`Menu of ${name}`} title={name}>
          <IconUser size={18} stroke={1.8} aria-hidden />
          <span className={classes.label}>{name}</span>
          <IconDots size={16} aria-hidden className={classes.wide} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{email}</Menu.Label>
        <Menu.Item component={Link} to={paths.profile} leftSection={<IconUser size={16} aria-hidden />}>
          Profile and API tokens
        </Menu.Item>
        {entries.map(({ path, label, icon: Icon }) => (
          <Menu.Item key={path} component={Link} to={path} leftSection={<Icon size={16} aria-hidden />}>
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
