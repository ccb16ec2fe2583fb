import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callProfile } from '../../api/call.ts';
import { useProfile } from '../../api/session.ts';
import { signInOptionsQuery } from '../../api/sign-in-options.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { Note } from '../../ui/states.tsx';
import { useRecentPassword } from './recent-password.tsx';

/** Says that nobody has shown yet whose address it is, and mails the link that shows it. */
function Unverified() {
  const profile = useProfile();
  const options = useQuery(signInOptionsQuery);
  const password = useRecentPassword();
  const verify = useMutation({
    mutationFn: () => callProfile<unknown>('POST', '/email', { email: profile.email, ...password.body }),
    onError: password.onError,
  });
  if (verify.isSuccess) return <Note>An email is on its way to {profile.email}. Follow its link within an hour.</Note>;
  return (
    <>
      <Note kind="warning">
        This address is not verified, so the account belongs to {profile.organization.name} only.{' '}
        {options.data?.password_reset
          ? 'The link in the email verifies it: you choose a new password, and sessions, passkeys, the second factor and API tokens end.'
          : 'It can be verified once the operator sets up a mail server or single sign-on.'}
      </Note>
      {options.data?.password_reset && (
        <Form
          submit="Verify the address"
          loading={verify.isPending}
          error={password.shown(verify.error)}
          disabledReason={password.missing}
          onSubmit={() => verify.mutate()}
        >
          {password.field}
        </Form>
      )}
    </>
  );
}

/** Changes the address: it takes effect when the link in a mail to the new one is followed. */
export function Email() {
  const profile = useProfile();
  const [email, setEmail] = useState(profile.email);
  const password = useRecentPassword();
  const change = useMutation({
    mutationFn: () => callProfile<unknown>('POST', '/email', { email: email.trim(), ...password.body }),
    onError: password.onError,
  });
  return (
    <Section title="Email address" lead="You sign in with it, and emails go there.">
      {!profile.email_verified && <Unverified />}
      {change.isSuccess && (
        <Note>An email is on its way to {email}. Follow its link within a day, in this browser.</Note>
      )}
      <Form
        submit="Change the address"
        loading={change.isPending}
        error={password.shown(change.error)}
        disabledReason={
          email.trim() === profile.email || email.trim() === '' ? 'Change the address first.' : password.missing
        }
        onSubmit={() => change.mutate()}
      >
        <TextField label="Email" field="email" type="email" autoComplete="email" value={email} onChange={setEmail} />
        {password.field}
      </Form>
    </Section>
  );
}
