import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callProfile } from '../../api/call.ts';
import { useProfile } from '../../api/session.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { Note } from '../../ui/states.tsx';
import { useRecentPassword } from './recent-password.tsx';

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
      {change.isSuccess && <Note>An email is on its way to {email}. Follow its link within a day.</Note>}
      <Form
        submit="Change the address"
        loading={change.isPending}
        error={password.shown(change.error)}
        disabledReason={
          email.trim() === profile.email || email.trim() === '' ? 'Change the address first.' : password.missing
        }
        onSubmit={() => change.mutate()}
      >
        <TextField label="Email" type="email" autoComplete="email" value={email} onChange={setEmail} />
        {password.field}
      </Form>
    </Section>
  );
}
