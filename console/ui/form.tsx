import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { explain } from '../api/errors.ts';
import { Button } from './button.tsx';
import classes from './form.module.css';
import { type FormErrors, FormErrorsContext, isShown } from './form-errors.ts';
import { Failure } from './states.tsx';

type FormProps = {
  children: ReactNode;
  /** The label of the submit button. */
  submit: string;
  onSubmit: () => void;
  onCancel?: () => void;
  loading: boolean;
  /** The error of the last submission; null without one. */
  error: unknown;
  kind?: 'primary' | 'secondary' | 'danger';
  /** The reason why the form can't be submitted yet. */
  disabledReason?: string | null;
  /** Whether the submit button has the focus initially. */
  autoFocus?: boolean;
  extra?: ReactNode;
};

/**
 * A form with its buttons. If it is refused, each field shows its errors, the first of these fields gets the focus, and
 * the form shows the other errors.
 */
export function Form(props: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(new Set<string>());
  const errors = useMemo<FormErrors>(
    () => ({ messages: props.error ? explain(props.error).fields : {}, shown: shown.current }),
    [props.error],
  );
  const names = Object.keys(errors.messages);
  const saysAll = names.length > 0 && names.every((name) => isShown(errors, name));
  useEffect(() => {
    if (!props.error) return;
    const invalid = [...(form.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [])];
    // An error of a field in a collapsed section would be invisible.
    for (const field of invalid) field.closest('details')?.setAttribute('open', '');
    if (saysAll) invalid[0]?.focus();
  }, [saysAll, props.error]);
  return (
    <form
      ref={form}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!props.loading && !props.disabledReason) props.onSubmit();
      }}
    >
      <FormErrorsContext value={errors}>{props.children}</FormErrorsContext>
      {props.error && !saysAll ? (
        <Failure error={props.error} isInput isShown={(name) => isShown(errors, name)} />
      ) : null}
      <div className={classes.buttons}>
        {props.extra}
        {props.onCancel && <Button onClick={props.onCancel}>Cancel</Button>}
        <Button
          kind={props.kind ?? 'primary'}
          type="submit"
          loading={props.loading}
          disabledReason={props.disabledReason ?? null}
          {...(props.autoFocus && { autoFocus: true, 'data-autofocus': true })}
        >
          {props.submit}
        </Button>
      </div>
    </form>
  );
}
