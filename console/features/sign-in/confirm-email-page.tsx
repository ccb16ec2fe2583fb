import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { callAuth } from '../../api/call.ts';
import { paths } from '../../paths.ts';
import { Form } from '../../ui/form.tsx';
import { Note } from '../../ui/states.tsx';
import { Frame } from './frame.tsx';

/** What the link to a new address opens. A button confirms it, since mail programs open links by themselves. */
export default function ConfirmEmailPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string };
  const confirm = useMutation({ mutationFn: () => callAuth('confirm-email', { token }) });
  return (
    <Frame title="Confirm your e-mail address">
      {confirm.isSuccess ? (
        <>
          <Note>The address is confirmed. Use it from now on to sign in.</Note>
          <Link to={paths.overview}>Go to the console</Link>
        </>
      ) : (
        <Form submit="Confirm" loading={confirm.isPending} error={confirm.error} onSubmit={() => confirm.mutate()}>
          <p>With this address you will sign in, and it will get the mails.</p>
        </Form>
      )}
    </Frame>
  );
}
