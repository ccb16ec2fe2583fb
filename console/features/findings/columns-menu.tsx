import { savePreferences, usePreferences } from '../../api/preferences.ts';
import { IconButton } from '../../ui/button.tsx';
import { IconCheck, IconColumns } from '../../ui/icons.ts';
import { Menu } from '../../ui/menu.ts';
import { showError } from '../../ui/toasts.tsx';
import { columns, usualColumns } from './columns.tsx';

/** Which columns the list shows: kept for the person, on every device. `roomy`: whether all usual ones have room. */
export function ColumnsMenu({ roomy }: { roomy: boolean }) {
  const preferences = usePreferences();
  const chosen = new Set(preferences.columns ?? usualColumns(roomy));
  const toggle = (id: string) => {
    const next = columns.map((column) => column.id).filter((one) => (one === id ? !chosen.has(id) : chosen.has(one)));
    savePreferences({ columns: next }).catch(showError);
  };
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <IconButton label="Columns" icon={IconColumns} />
      </Menu.Target>
      <Menu.Dropdown>
        {columns
          .filter(({ id }) => id !== 'title' && id !== 'severity')
          .map(({ id, title }) => (
            <Menu.Item
              key={id}
              role="menuitemcheckbox"
              aria-checked={chosen.has(id)}
              leftSection={chosen.has(id) ? <IconCheck size={16} aria-hidden /> : <span />}
              onClick={() => toggle(id)}
            >
              {title}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item onClick={() => savePreferences({ columns: null }).catch(showError)}>Default columns</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
