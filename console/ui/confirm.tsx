import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

type ConfirmProps = {
  title: string;
  /** The consequences, in a sentence. */
  children: ReactNode;
  /** The label of the button: the verb of the title. */
  action: string;
  loading: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that can't be undone. */
export function Confirm({ title, children, action, loading, error, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form submit={action} kind="danger" loading={loading} error={error} onSubmit={onConfirm} onCancel={onClose}>
        <div>{children}</div>
      </Form>
    </Dialog>
  );
}
