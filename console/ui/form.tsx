import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import classes from './form.module.css';
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
  kind?: 'primary' | 'danger';
  /** Why the form can't be sent yet. */
  disabledReason?: string | null;
  /** Whether the button that sends the form has the focus at first. */
  autoFocus?: boolean;
  extra?: ReactNode;
};

/** A form with its buttons: it shows why it was refused, and while it is being sent. */
export function Form(props: FormProps) {
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!props.loading && !props.disabledReason) props.onSubmit();
      }}
    >
      {props.children}
      {props.error ? <Failure error={props.error} isInput /> : null}
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
