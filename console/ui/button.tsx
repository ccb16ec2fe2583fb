import { Button as MantineButton } from '@mantine/core';
import { type ComponentType, createContext, type MouseEventHandler, type ReactNode, type Ref, useContext } from 'react';

export type Icon = ComponentType<{ size?: number | string; stroke?: number; 'aria-hidden'?: boolean }>;

type Kind = 'primary' | 'secondary' | 'quiet' | 'danger';

const variants = {
  primary: { variant: 'filled' },
  secondary: { variant: 'default' },
  quiet: { variant: 'subtle', color: 'gray' },
  danger: { variant: 'outline' },
} as const;

type ButtonProps = {
  children: ReactNode;
  kind?: Kind;
  icon?: Icon;
  type?: 'button' | 'submit';
  size?: 'xs' | 'sm' | 'md';
  loading?: boolean;
  /** The reason why the button is disabled, which it shows. */
  disabledReason?: string | null | undefined;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  fullWidth?: boolean;
  /** The key that does the same. */
  hint?: string;
  autoFocus?: boolean;
  /** Receives the focus when the dialog around it opens. */
  'data-autofocus'?: boolean;
  ref?: Ref<HTMLButtonElement>;
  'aria-label'?: string;
  'aria-expanded'?: boolean;
  'aria-controls'?: string;
};

type Hint = ComponentType<{ label: ReactNode; children: ReactNode }>;

/** Shows why a button is disabled. Pages without a session load no tooltips: their buttons use the title attribute. */
export const ButtonHint = createContext<Hint | null>(null);

export function Button({ kind = 'secondary', icon: Icon, disabledReason, hint, size = 'sm', ...props }: ButtonProps) {
  const Hint = useContext(ButtonHint);
  const disabled = disabledReason !== null && disabledReason !== undefined;
  const button = (
    <MantineButton
      {...variants[kind]}
      size={size}
      leftSection={Icon && <Icon size={16} stroke={1.5} aria-hidden />}
      rightSection={hint && <kbd aria-hidden>{hint}</kbd>}
      aria-keyshortcuts={hint}
      data-disabled={disabled || undefined}
      aria-disabled={disabled || undefined}
      title={(!Hint && disabledReason) || undefined}
      {...props}
      onClick={disabled ? (event) => event.preventDefault() : props.onClick}
    />
  );
  return disabled && Hint ? <Hint label={disabledReason}>{button}</Hint> : button;
}
