import { APIStatusError } from '@assay/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callAuth } from '../../api/call.ts';
import { pageParameters, paths } from '../../paths.ts';
import { PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Note } from '../../ui/states.tsx';
import { Frame } from './frame.tsx';

/** Whether the account's address was never verified. A new password then gives this person sole access. */
const needsPassword = (error: unknown): boolean =>
  error instanceof APIStatusError && error.details.some(({ field }) => field === 'new_password');

/** The page behind the link to a new address. It needs a button, since mail programs open links by themselves. */
export default function ConfirmEmailPage() {
  const { token = '' } = pageParameters() as { token?: string };
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const confirm = useMutation({
    mutationFn: () => callAuth('confirm-email', { token, ...(password !== '' && { new_password: password }) }),
    onError: (error) => setAsked((before) => before || needsPassword(error)),
  });
  const isFirstRefusal = asked && password === '';
  return (
    <Frame
      title="Confirm your email address"
      lead={!confirm.isSuccess && 'You’ll sign in with this address and receive emails there.'}
    >
      {confirm.isSuccess ? (
        <>
          <Note>The address is confirmed. Use it from now on to sign in.</Note>
          <a href={paths.overview}>Go to the console</a>
        </>
      ) : (
        <Form
          submit="Confirm"
          loading={confirm.isPending}
          error={isFirstRefusal ? null : confirm.error}
          onSubmit={() => confirm.mutate()}
        >
          {asked && (
            <PasswordField
              label="Choose a new password"
              field="new_password"
              description="The address of this account was never verified. With a new password it belongs to you only."
              name="new-password"
              autoComplete="new-password"
              autoFocus
              value={password}
              onChange={setPassword}
            />
          )}
        </Form>
      )}
    </Frame>
  );
}
