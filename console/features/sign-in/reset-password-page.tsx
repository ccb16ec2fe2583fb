import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callAuth } from '../../api/call.ts';
import { pageParameters, paths } from '../../paths.ts';
import { NewPasswordField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { FurtherAccessFields, nothingFurther } from '../../ui/further-access.tsx';
import { Note } from '../../ui/states.tsx';
import { Frame } from './frame.tsx';

/** Requests a link by mail. The page does not reveal whether an address has an account. */
function AskForLink() {
  const [email, setEmail] = useState('');
  const ask = useMutation({ mutationFn: () => callAuth('request-password-reset', { email: email.trim() }) });
  return (
    <Frame title="Set a new password" lead="We’ll email you a link to choose a new password.">
      {ask.isSuccess ? (
        <Note>If {email} has an account, a link is on its way. It works once, within an hour.</Note>
      ) : (
        <Form submit="Send the link" loading={ask.isPending} error={ask.error} onSubmit={() => ask.mutate()}>
          <TextField
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            autoFocus
            value={email}
            onChange={setEmail}
          />
        </Form>
      )}
      <a href={paths.signIn}>Back to the sign-in</a>
    </Frame>
  );
}

function ChoosePassword({ token }: { token: string }) {
  const [password, setPassword] = useState('');
  const [further, setFurther] = useState(nothingFurther);
  const reset = useMutation({
    mutationFn: () => callAuth('reset-password', { token, new_password: password, ...further }),
    onSuccess: () => location.assign(`${paths.signIn}?reason=reset`),
  });
  return (
    <Frame title="Choose a new password" lead="This ends all sessions of your account.">
      <Form submit="Set the password" loading={reset.isPending} error={reset.error} onSubmit={() => reset.mutate()}>
        <NewPasswordField autoFocus value={password} onChange={setPassword} />
        <FurtherAccessFields value={further} onChange={setFurther} />
      </Form>
      <a href={paths.resetPassword}>Ask for a new link</a>
    </Frame>
  );
}

export default function ResetPasswordPage() {
  const { token } = pageParameters() as { token?: string };
  return token ? <ChoosePassword key={token} token={token} /> : <AskForLink />;
}
