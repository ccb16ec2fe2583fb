import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callAuth, callServer } from '../../api/call.ts';
import { useProfile } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { Note } from '../../ui/states.tsx';
import { useRecentPassword } from './recent-password.tsx';

type Account = { id: string; name: string; organizations: string[] };

/** The accounts that organizations created for the person's address before the person verified it. */
function OtherAccounts() {
  const accounts = useQuery({
    queryKey: ['auth', 'accounts'],
    queryFn: () => callServer<{ data: Account[] }>('GET', '/auth/accounts'),
  });
  const password = useRecentPassword();
  const code = useMutation({
    mutationFn: () => callAuth<{ code: string }>('accounts/join-code', password.body),
    onError: password.onError,
  });
  if (!accounts.data || accounts.data.data.length === 0) return null;
  return (
    <Section
      title="Other accounts of your address"
      lead="Organizations created these before you verified your address. Join the ones that are yours."
    >
      <ul>
        {accounts.data.data.map(({ id, name, organizations }) => (
          <li key={id}>
            <strong>{organizations.join(', ') || 'no organization'}</strong> ({name})
          </li>
        ))}
      </ul>
      {code.isSuccess ? (
        <>
          <Note>
            Sign in to the other account in a private window, and enter this code in its profile within 10 minutes. Stay
            signed in here until then.
          </Note>
          <CodeBlock text={code.data.code} />
          <CopyButton text={code.data.code} label="Copy the code" />
        </>
      ) : (
        <Form
          submit="Get a code"
          kind="secondary"
          loading={code.isPending}
          error={password.shown(code.error)}
          disabledReason={password.missing}
          onSubmit={() => code.mutate()}
        >
          {password.field}
        </Form>
      )}
    </Section>
  );
}

/** Merges this account, whose address is not verified, into the person's own. */
function JoinInto() {
  const profile = useProfile();
  const [code, setCode] = useState('');
  const password = useRecentPassword();
  const join = useMutation({
    mutationFn: () => callAuth('accounts/join', { code: code.trim(), ...password.body }),
    onSuccess: () => location.assign(paths.signIn),
    onError: password.onError,
  });
  return (
    <Section
      title="Join another account"
      lead={`If you have an account whose address ${profile.email} is verified, it can take over this one. Its profile shows the code.`}
    >
      <Form
        submit="Join the accounts"
        kind="secondary"
        loading={join.isPending}
        error={password.shown(join.error)}
        disabledReason={code.trim() === '' ? 'Enter the code first.' : password.missing}
        onSubmit={() => join.mutate()}
      >
        <p>
          Your membership moves to that account. The API tokens of this account stop working, and it can no longer be
          used to sign in.
        </p>
        <TextField label="Code" field="code" autoComplete="off" value={code} onChange={setCode} />
        {password.field}
      </Form>
    </Section>
  );
}

/** Several accounts of one address, which the person can merge from a session of each. */
export const Accounts = () => (useProfile().email_verified ? <OtherAccounts /> : <JoinInto />);
