import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
// Imported directly: the list of icons would load those of all pages.
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callAuth } from '../../api/call.ts';
import { type SignInOptions, signInOptionsQuery } from '../../api/sign-in-options.ts';
import { ownPath, pageParameters, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, PasswordField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Failure, Note } from '../../ui/states.tsx';
import classes from './frame.module.css';
import { Frame } from './frame.tsx';

/** Requests a passkey from the browser and signs in with it. */
async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await callAuth<PublicKeyCredentialRequestOptionsJSON>('sign-in/passkey/options');
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const credential = await startAuthentication({ optionsJSON });
  await callAuth<unknown>('sign-in/passkey', { credential });
}

/** Whether the person closed the browser's own dialog: that is no error. */
const isCancelled = (error: unknown) => error instanceof Error && error.name === 'NotAllowedError';

type OtherWaysProps = { options: SignInOptions; redirect: string; onDone: () => void };

/** The ways to sign in without a password. */
function OtherWays({ options, redirect, onDone }: OtherWaysProps) {
  const provider = options.single_sign_on;
  const singleSignOn = useMutation({
    mutationFn: () => callAuth<{ url: string }>('sign-in/single-sign-on', { redirect }),
    onSuccess: ({ url }) => location.assign(url),
  });
  const passkey = useMutation({ mutationFn: signInWithPasskey, onSuccess: onDone });
  const error = singleSignOn.error ?? (isCancelled(passkey.error) ? null : passkey.error);
  return (
    <>
      {provider && (
        <Button fullWidth size="md" loading={singleSignOn.isPending} onClick={() => singleSignOn.mutate()}>
          {provider.name}
        </Button>
      )}
      {options.passkeys && (
        <Button fullWidth size="md" icon={IconKey} loading={passkey.isPending} onClick={() => passkey.mutate()}>
          Sign in with a passkey
        </Button>
      )}
      {error ? <Failure error={error} /> : null}
      <div className={classes.or}>or</div>
    </>
  );
}

type Choice = { id: string; organizations: string[] };
type Result = { status: 'signed_in' | 'code_required' | 'account_required'; accounts?: Choice[] };

/** The second step for people with a second factor: a code of their app, or one of their recovery codes. */
function CodeStep({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const [trust, setTrust] = useState(false);
  const send = useMutation({
    mutationFn: () =>
      callAuth<Result>(recovery ? 'sign-in/recovery-code' : 'sign-in/code', {
        code: code.trim(),
        ...(trust && { trust_device: true }),
      }),
    onSuccess: onDone,
  });
  return (
    <Frame
      title="Second factor"
      lead={recovery ? 'Enter one of your recovery codes. Each works once.' : 'Enter the code that your app shows.'}
    >
      <Form submit="Continue" loading={send.isPending} error={send.error} onSubmit={() => send.mutate()}>
        <TextField
          key={String(recovery)}
          label={recovery ? 'Recovery code' : 'Code'}
          name="code"
          value={code}
          autoFocus
          autoComplete="one-time-code"
          inputMode={recovery ? 'text' : 'numeric'}
          onChange={setCode}
        />
        <Checkbox label="Trust this browser for 30 days" checked={trust} onChange={setTrust} />
      </Form>
      <div className={classes.links}>
        <Button
          kind="quiet"
          size="xs"
          onClick={() => {
            setCode('');
            setRecovery(!recovery);
            send.reset();
          }}
        >
          {recovery ? 'Use a code from your app' : 'Use a recovery code'}
        </Button>
        <Button kind="quiet" size="xs" onClick={onBack}>
          Sign in as another person
        </Button>
      </div>
    </Frame>
  );
}

/** The step for a person with the same password for several accounts of an address. */
function AccountStep({ accounts, onChoose }: { accounts: Choice[]; onChoose: (id: string) => void }) {
  return (
    <Frame title="Choose an account" lead="Your address has several accounts with this password.">
      <div className={classes.choices}>
        {accounts.map(({ id, organizations }) => (
          <Button key={id} size="md" onClick={() => onChoose(id)}>
            {organizations.length === 0 ? 'The account without an organization' : organizations.join(', ')}
          </Button>
        ))}
      </div>
    </Frame>
  );
}

/** The reasons why the identity provider's sign-in returned without a session. */
const refusals: Record<string, string> = {
  single_sign_on_refused: 'That account can’t sign in here. Ask an administrator to invite you.',
  single_sign_on_failed: 'The identity provider did not confirm who you are. Try again.',
  single_sign_on_expired: 'The sign-in took too long. Start again.',
};

/** The sign-in with email and password, then with a second factor if it is on. */
export default function SignInPage() {
  const search = pageParameters() as { redirect?: string; reason?: string; error?: string };
  const options = useQuery(signInOptionsQuery);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [choices, setChoices] = useState<Choice[]>([]);
  // The page is reloaded, so that nothing of an earlier session is left in memory.
  const enter = () => location.assign(ownPath(search.redirect));
  const signIn = useMutation({
    mutationFn: (user_id?: string) =>
      callAuth<Result>('sign-in/email', { email: email.trim(), password, ...(user_id && { user_id }) }),
    onSuccess: ({ status, accounts }) => {
      if (status === 'signed_in') return enter();
      setChoices(accounts ?? []);
      setNeedsCode(status === 'code_required');
    },
  });
  if (needsCode) {
    return (
      <CodeStep
        onDone={enter}
        onBack={() => {
          setNeedsCode(false);
          setPassword('');
        }}
      />
    );
  }
  if (choices.length > 0) return <AccountStep accounts={choices} onChoose={(id) => signIn.mutate(id)} />;
  return (
    <Frame title="Sign in to Assay">
      {search.reason === 'accepted' && <Note>The invitation is accepted. Sign in to continue.</Note>}
      {search.reason === 'reset' && <Note>The new password is set. Sign in with it.</Note>}
      {search.error && <Note kind="warning">{refusals[search.error] ?? 'The sign-in failed. Try again.'}</Note>}
      {options.data && (options.data.single_sign_on || options.data.passkeys) && (
        <OtherWays options={options.data} redirect={ownPath(search.redirect)} onDone={enter} />
      )}
      <Form submit="Sign in" loading={signIn.isPending} error={signIn.error} onSubmit={() => signIn.mutate(undefined)}>
        <TextField
          label="Email"
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
      <div className={classes.links}>
        {options.data?.password_reset ? (
          <a href={paths.resetPassword}>Forgot your password?</a>
        ) : (
          <span className={classes.lead}>
            The first start prints the owner’s address and password. Forgotten? On the server,{' '}
            <code>npx assay user reset-password</code> sets a new one.
          </span>
        )}
      </div>
    </Frame>
  );
}
