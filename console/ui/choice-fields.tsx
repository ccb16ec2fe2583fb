import {
  MultiSelect as MantineMultiSelect,
  Select as MantineSelect,
  Switch as MantineSwitch,
  SegmentedControl,
  Textarea,
} from '@mantine/core';
import { useRef } from 'react';
import choice from './choice.module.css';
import type { FieldProps, TextProps } from './fields.tsx';
import { useFieldError } from './form-errors.ts';

type TextAreaProps = Omit<TextProps, 'type' | 'inputMode'> & { rows?: number };

/** A multi-line text field. Ctrl+Enter or ⌘ Enter submits its form. */
export function TextArea({ onChange, rows = 4, field, ...props }: TextAreaProps) {
  const error = useFieldError(field);
  return (
    <Textarea
      {...props}
      error={error}
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
  onEnter,
  options,
  field,
  label,
  isLabelHidden = false,
  ...props
}: FieldProps & {
  value: string | null;
  onChange: (value: string) => void;
  options: Option[];
  searchable?: boolean;
  placeholder?: string;
  autoFocus?: boolean;
  /** In a row of a table, whose column has a heading, the label is only read aloud. */
  isLabelHidden?: boolean;
  /** Called when Enter has chosen an option. */
  onEnter?: (value: string) => void;
}) {
  const error = useFieldError(field);
  const isEnter = useRef(false);
  return (
    <MantineSelect
      {...props}
      {...(isLabelHidden ? { 'aria-label': label as string } : { label })}
      error={error}
      data-autofocus={props.autoFocus}
      // Enter chooses the first match.
      selectFirstOptionOnChange={props.searchable ?? false}
      onKeyDown={({ key }) => {
        isEnter.current = key === 'Enter';
      }}
      onOptionSubmit={(value) => isEnter.current && onEnter?.(value)}
      data={options}
      allowDeselect={false}
      onChange={(value) => value !== null && onChange(value)}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

export function MultiSelect({
  options,
  field,
  ...props
}: FieldProps & {
  value: string[];
  onChange: (value: string[]) => void;
  options: Option[];
  searchable?: boolean;
  placeholder?: string;
}) {
  const error = useFieldError(field);
  return (
    <MantineMultiSelect
      {...props}
      error={error}
      data={options}
      // A dialog focuses its first field: the options would cover the others before anything is asked.
      openOnFocus={false}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

export function Switch({
  onChange,
  ...props
}: Omit<FieldProps, 'required' | 'field'> & { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <MantineSwitch
      {...props}
      classNames={{ track: choice.track }}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
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
