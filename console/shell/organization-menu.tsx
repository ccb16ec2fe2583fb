import { useMutation } from '@tanstack/react-query';
import { switchOrganization } from '../api/organizations.ts';
import { useProfile } from '../api/session.ts';
import { paths } from '../paths.ts';
import { IconCheck, IconSelector } from '../ui/icons.ts';
import { Menu } from '../ui/menu.ts';
import { showError } from '../ui/toasts.tsx';
import classes from './shell.module.css';

/** The name of the organization; a menu for people who belong to several. */
export function OrganizationMenu() {
  const { organization, organizations } = useProfile();
  const change = useMutation({
    mutationFn: switchOrganization,
    // Everything on the page belongs to the old organization.
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
        <button type="button" className={`${classes.link} ${classes.brand}`} aria-label="Change the organization">
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
