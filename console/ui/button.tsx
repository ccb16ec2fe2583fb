import { ActionIcon, Button as MantineButton, Tooltip } from '@mantine/core';
import type { ComponentType, MouseEventHandler, ReactNode, Ref } from 'react';

export type Icon = ComponentType<{ size?: number | string; stroke?: number; 'aria-hidden'?: boolean }>;

type Kind = 'primary' | 'secondary' | 'quiet' | 'danger';

const variants = {
  primary: { variant: 'filled' },
  secondary: { variant: 'default' },
  quiet: { variant: 'subtle' },
  danger: { variant: 'filled', color: 'red' },
} as const;

type ButtonProps = {
  children: ReactNode;
  kind?: Kind;
  icon?: Icon;
  type?: 'button' | 'submit';
  size?: 'xs' | 'sm' | 'md';
  loading?: boolean;
  /** Why the button can't be used at the moment: it is disabled and says so. */
  disabledReason?: string | null | undefined;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  fullWidth?: boolean;
  autoFocus?: boolean;
  /** Has the focus when the dialog around it opens. */
  'data-autofocus'?: boolean;
  ref?: Ref<HTMLButtonElement>;
  'aria-expanded'?: boolean;
  'aria-controls'?: string;
};

export function Button({ kind = 'secondary', icon: Icon, disabledReason, size = 'sm', ...props }: ButtonProps) {
  const disabled = disabledReason !== null && disabledReason !== undefined;
  const button = (
    <MantineButton
      {...variants[kind]}
      size={size}
      leftSection={Icon && <Icon size={16} stroke={1.8} aria-hidden />}
      data-disabled={disabled || undefined}
      aria-disabled={disabled || undefined}
      {...props}
      onClick={disabled ? (event) => event.preventDefault() : props.onClick}
    />
  );
  return disabled ? <Tooltip label={disabledReason}>{button}</Tooltip> : button;
}

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
        <Icon size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
