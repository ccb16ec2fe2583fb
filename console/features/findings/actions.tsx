import type { FindingStatus } from '@assay/client';
import { Button } from '../../ui/button.tsx';
import { IconChevronDown } from '../../ui/icons.ts';
import { Menu } from '../../ui/menu.ts';
import { StatusMark } from './marks.tsx';
import classes from './page.module.css';
import type { TriageAction } from './use-triage.tsx';
import { statusKeys } from './words.ts';

/** Buttons for the actions of the keys. */
export function Actions({ onAction }: { onAction: (action: TriageAction) => void }) {
  return (
    <div className={classes.actions}>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="xs" kind="primary" icon={IconChevronDown}>
            Set status
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {Object.entries(statusKeys).map(([key, status]) => (
            <Menu.Item
              key={status}
              rightSection={<kbd>{key}</kbd>}
              onClick={() => onAction({ status: status as FindingStatus })}
            >
              <StatusMark status={status} />
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button size="xs" onClick={() => onAction('assign')}>
        Assign
      </Button>
      <Button size="xs" onClick={() => onAction('assign-me')}>
        Assign to me
      </Button>
      <Button size="xs" onClick={() => onAction('tag')}>
        Tag
      </Button>
      <Button size="xs" onClick={() => onAction('comment')}>
        Comment
      </Button>
    </div>
  );
}
