import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callServer } from '../../api/call.ts';
import { assay } from '../../api/client.ts';
import { switchOrganization } from '../../api/organizations.ts';
import { useProfile } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { NewPasswordField, PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { showError, Toasts } from '../../ui/toasts.tsx';
import { Frame } from '../sign-in/frame.tsx';
import { Passkeys } from './passkeys.tsx';
import classes from './profile.module.css';
import { TwoFactor } from './two-factor.tsx';

const reload = () => location.assign(paths.overview);

async function signOut() {
  await callServer('POST', '/auth/sign-out').catch(showError);
  location.assign(paths.signIn);
}

/** Lets the person replace a generated password. */
function ChoosePassword() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => assay.profile.changePassword({ current_password: current, new_password: next }),
    onSuccess: reload,
  });
  return (
    <Form
      submit="Set the password"
      loading={change.isPending}
      error={change.error}
      disabledReason={current === '' || next === '' ? 'Fill in both fields first.' : null}
      onSubmit={() => change.mutate()}
    >
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        autoFocus
        value={current}
        onChange={setCurrent}
      />
      <NewPasswordField value={next} onChange={setNext} />
    </Form>
  );
}

/** Lets the person set up the required second factor. Passkeys count from the next sign-in on. */
function SetUpFactor() {
  const profile = useProfile();
  return (
    <>
      {profile.has_password && <TwoFactor />}
      <Passkeys />
    </>
  );
}

function OtherOrganizations() {
  const { organization, organizations } = useProfile();
  const change = useMutation({ mutationFn: switchOrganization, onSuccess: reload, onError: showError });
  return organizations
    .filter(({ id }) => id !== organization.id)
    .map(({ id, name }) => (
      <Button key={id} size="xs" onClick={() => change.mutate(id)}>
        Continue in {name}
      </Button>
    ));
}

const titles: Record<string, string> = {
  password_change_required: 'Choose your password',
  second_factor_required: 'A second factor is required',
  single_sign_on_required: 'Single sign-on is required',
  password_not_accepted: 'Sign in without a password',
  address_not_allowed: 'Your network address is not allowed',
};

const leads: Record<string, string> = {
  password_change_required: 'The password that you used was generated. Choose your own to continue.',
};

/** The page of a person whose session the organization refuses, with the next step. */
export default function RefusedPage() {
  const { sign_in_refusal: refusal, organization } = useProfile();
  if (!refusal) return null;
  const { code, message } = refusal;
  return (
    <Frame title={titles[code] ?? `${organization.name} refuses this sign-in`} lead={leads[code] ?? message}>
      {code === 'password_change_required' && <ChoosePassword />}
      {code === 'second_factor_required' && <SetUpFactor />}
      <div className={classes.row}>
        {code === 'second_factor_required' && (
          <Button kind="primary" onClick={reload}>
            Continue
          </Button>
        )}
        {code !== 'password_change_required' && <OtherOrganizations />}
        <Button onClick={() => void signOut()}>Sign out</Button>
      </div>
      <Toasts />
    </Frame>
  );
}
