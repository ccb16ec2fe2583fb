import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { explain } from '../api/errors.ts';
import { Button } from './button.tsx';
import classes from './form.module.css';
import { type FormErrors, FormErrorsContext, isShown } from './form-errors.ts';
import { Failure } from './states.tsx';

type FormProps = {
  children: ReactNode;
  /** The label of the button that sends the form. */
  submit: string;
  onSubmit: () => void;
  onCancel?: () => void;
  loading: boolean;
  /** Why sending failed; null while it has not. */
  error: unknown;
  kind?: 'primary' | 'secondary' | 'danger';
  /** Why the form can't be sent yet. */
  disabledReason?: string | null;
  /** Whether the button that sends the form has the focus at first. */
  autoFocus?: boolean;
  extra?: ReactNode;
};

/**
 * A form with its buttons. When it is refused, each field shows what was said about it, the first of them has the focus,
 * and the form says the rest.
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
    // A field in a part that is folded would be refused without a word.
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
