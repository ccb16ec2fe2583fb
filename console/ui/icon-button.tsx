import { ActionIcon, Tooltip } from '@mantine/core';
import type { MouseEventHandler, Ref } from 'react';
import type { Icon } from './button.tsx';

type IconButtonProps = {
  label: string;
  icon: Icon;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  size?: number;
  active?: boolean;
  disabled?: boolean;
  /** The key that does the same. */
  hint?: string;
  ref?: Ref<HTMLButtonElement>;
  tabIndex?: number;
};

/** A button that shows only an icon; its label is its name and its tooltip. */
export function IconButton({ label, icon: Icon, size = 32, active, hint, ...props }: IconButtonProps) {
  return (
    <Tooltip label={hint ? `${label} (${hint})` : label}>
      <ActionIcon
        aria-label={label}
        aria-pressed={active}
        variant={active ? 'light' : 'subtle'}
        color={active ? undefined : 'gray'}
        size={size}
        {...props}
      >
        <Icon size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Shows the reasons of disabled buttons on the pages behind the sign-in. */
export { Tooltip as ButtonTooltip } from '@mantine/core';
