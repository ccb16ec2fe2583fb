import { Checkbox as MantineCheckbox, PasswordInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import choice from './choice.module.css';
import { useFieldError } from './form-errors.ts';

export type FieldProps = {
  label: ReactNode;
  description?: ReactNode;
  /** The API's name of the field, or several separated by blanks: the control shows the server's errors about them. */
  field?: string;
  required?: boolean;
  disabled?: boolean;
};

export type TextProps = FieldProps & {
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  autoComplete?: string;
  autoFocus?: boolean;
  type?: 'text' | 'email' | 'url' | 'date' | 'time' | 'number';
  inputMode?: 'numeric' | 'text';
  name?: string;
  maxLength?: number;
  /** The latest day of a date. */
  max?: string | undefined;
};

export function TextField({ onChange, field, ...props }: TextProps) {
  const error = useFieldError(field);
  return (
    <TextInput
      {...props}
      error={error}
      data-autofocus={props.autoFocus}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function PasswordField({ onChange, field, ...props }: Omit<TextProps, 'type' | 'inputMode'>) {
  const error = useFieldError(field);
  return (
    <PasswordInput
      {...props}
      error={error}
      data-autofocus={props.autoFocus}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the characters', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A new password. */
export const NewPasswordField = (props: Pick<TextProps, 'value' | 'onChange' | 'autoFocus'>) => (
  <PasswordField
    label="New password"
    field="new_password"
    description="At least 8 characters."
    name="new-password"
    autoComplete="new-password"
    {...props}
  />
);

const checkboxClasses = {
  inner: choice.check ?? '',
  label: choice.checkLabel ?? '',
  description: choice.checkDescription ?? '',
};

export function Checkbox({
  onChange,
  ...props
}: Omit<FieldProps, 'required' | 'field'> & { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <MantineCheckbox
      size="xs"
      classNames={checkboxClasses}
      {...props}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
