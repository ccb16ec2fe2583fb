import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { callAuth } from '../../api/sign-in.ts';
import { ownPath } from '../../paths.ts';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';

export default function SignInPage() {
  const search = useSearch({ strict: false });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => callAuth('sign-in/email', { email, password }),
    onSuccess: () => {
      queryClient.clear();
      location.assign(ownPath(search.redirect));
    },
  });
  return (
    <Page title="Sign in">
      <Form submit="Sign in" loading={signIn.isPending} error={signIn.error} onSubmit={() => signIn.mutate()}>
        <TextField
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username webauthn"
          autoFocus
          value={email}
          onChange={setEmail}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
      </Form>
    </Page>
  );
}
