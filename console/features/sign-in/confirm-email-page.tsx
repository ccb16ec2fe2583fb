import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { callAuth } from '../../api/call.ts';
import { paths } from '../../paths.ts';
import { Form } from '../../ui/form.tsx';
import { Note } from '../../ui/states.tsx';
import { Frame } from './frame.tsx';

/** The page behind the link to a new address. A button confirms it, since mail programs open links themselves. */
export default function ConfirmEmailPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string };
  const confirm = useMutation({ mutationFn: () => callAuth('confirm-email', { token }) });
  return (
    <Frame title="Confirm your email address">
      {confirm.isSuccess ? (
        <>
          <Note>The address is confirmed. Use it from now on to sign in.</Note>
          <Link to={paths.overview}>Go to the console</Link>
        </>
      ) : (
        <Form submit="Confirm" loading={confirm.isPending} error={confirm.error} onSubmit={() => confirm.mutate()}>
          <p>You will sign in with this address, and emails will be sent to it.</p>
        </Form>
      )}
    </Frame>
  );
}
