import { startAuthentication } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { callAuth } from '../../api/call.ts';
import type { SignInOptions } from '../../api/sign-in-options.ts';
import { Button } from '../../ui/button.tsx';
import { IconKey } from '../../ui/icons.ts';
import { Failure } from '../../ui/states.tsx';
import classes from './frame.module.css';

type PublicKeyOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Asks the browser for a passkey, and signs in with it. */
async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await callAuth<PublicKeyOptions>('sign-in/passkey/options');
  const credential = await startAuthentication({ optionsJSON });
  await callAuth<unknown>('sign-in/passkey', { credential });
}

/** Whether the person closed the browser's own dialog: nothing went wrong. */
const isCancelled = (error: unknown) => error instanceof Error && error.name === 'NotAllowedError';

type OtherWaysProps = { options: SignInOptions; redirect: string; onDone: () => void };

/** The ways to sign in without a password. */
export function OtherWays({ options, redirect, onDone }: OtherWaysProps) {
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
