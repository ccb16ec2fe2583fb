import {
  Checkbox as MantineCheckbox,
  MultiSelect as MantineMultiSelect,
  Select as MantineSelect,
  Switch as MantineSwitch,
  PasswordInput,
  SegmentedControl,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';
import choice from './choice.module.css';

type Common = {
  label: ReactNode;
  description?: ReactNode;
  error?: string | null | undefined;
  required?: boolean;
  disabled?: boolean;
};

type TextProps = Common & {
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  autoComplete?: string;
  autoFocus?: boolean;
  type?: 'text' | 'email' | 'url' | 'date' | 'time' | 'number';
  inputMode?: 'numeric' | 'text';
  name?: string;
  maxLength?: number;
};

export function TextField({ onChange, ...props }: TextProps) {
  return (
    <TextInput {...props} data-autofocus={props.autoFocus} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}

export function PasswordField({ onChange, ...props }: Omit<TextProps, 'type' | 'inputMode'>) {
  return (
    <PasswordInput
      {...props}
      data-autofocus={props.autoFocus}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the characters', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type TextAreaProps = Omit<TextProps, 'type' | 'inputMode'> & { rows?: number };

/** A text of several lines. Ctrl+Enter, or ⌘ Enter, sends its form. */
export function TextArea({ onChange, rows = 4, ...props }: TextAreaProps) {
  return (
    <Textarea
      {...props}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
      rows={rows}
      data-autofocus={props.autoFocus}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export type Option = { value: string; label: string; disabled?: boolean };

export function Select({
  onChange,
  options,
  ...props
}: Common & {
  value: string | null;
  onChange: (value: string) => void;
  options: Option[];
  searchable?: boolean;
  placeholder?: string;
}) {
  return (
    <MantineSelect
      {...props}
      data={options}
      allowDeselect={false}
      onChange={(value) => value !== null && onChange(value)}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

export function MultiSelect({
  options,
  ...props
}: Common & {
  value: string[];
  onChange: (value: string[]) => void;
  options: Option[];
  searchable?: boolean;
  placeholder?: string;
}) {
  return <MantineMultiSelect {...props} data={options} comboboxProps={{ withinPortal: true }} />;
}

export function Checkbox({
  onChange,
  ...props
}: Omit<Common, 'required'> & { checked: boolean; onChange: (checked: boolean) => void }) {
  return <MantineCheckbox {...props} onChange={(event) => onChange(event.currentTarget.checked)} />;
}

export function Switch({
  onChange,
  ...props
}: Omit<Common, 'required'> & { checked: boolean; onChange: (checked: boolean) => void }) {
  return <MantineSwitch {...props} onChange={(event) => onChange(event.currentTarget.checked)} />;
}

/** A choice between a few visible options. */
export function Choice({
  label,
  options,
  ...props
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: Option[];
}) {
  return <SegmentedControl aria-label={label} data={options} size="xs" classNames={choice} {...props} />;
}
