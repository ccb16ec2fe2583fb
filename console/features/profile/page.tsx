import type { Preferences as Values } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { savePreferences, usePreferences } from '../../api/preferences.ts';
import { queryClient } from '../../api/query-client.ts';
import { profileQuery, useProfile } from '../../api/session.ts';
import { signInOptionsQuery } from '../../api/sign-in-options.ts';
import { useUrl } from '../../api/use-url.ts';
import { paths } from '../../paths.ts';
import { Choice, Switch } from '../../ui/choice-fields.tsx';
import { NewPasswordField, PasswordField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { FurtherAccessFields, nothingFurther } from '../../ui/further-access.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Note } from '../../ui/states.tsx';
import { tabsOf } from '../../ui/tabs.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { densities, densityOf, saveDensity } from '../findings/density.ts';
import { Accounts } from './accounts.tsx';
import { FailedSignIns } from './failed-sign-ins.tsx';
import { Passkeys } from './passkeys.tsx';
import classes from './profile.module.css';
import { passkeysQuery, sessionsQuery } from './queries.ts';
import { useRecentPassword } from './recent-password.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';
import { TwoFactor } from './two-factor.tsx';

const save = (change: Partial<Values>) => void savePreferences(change).catch(showError);

function Preferences() {
  const preferences = usePreferences();
  const { theme, single_keys } = preferences;
  return (
    <Section title="Preferences" lead="These apply wherever you sign in.">
      <div className={classes.row}>
        <span>Colours</span>
        <Choice
          label="Colours"
          value={theme}
          onChange={(value) => save({ theme: value as Values['theme'] })}
          options={[
            { value: 'system', label: 'Same as system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </div>
      <div className={classes.row}>
        <span>List rows</span>
        <Choice
          label="List rows"
          value={densityOf(preferences)}
          onChange={(value) => saveDensity(preferences, value as Parameters<typeof saveDensity>[1])}
          options={densities}
        />
      </div>
      <Switch
        label="Single keys"
        description="Keys such as j, k and 1 to 5 act immediately. Switch them off if you use a screen reader or voice control that sends its own keys."
        checked={single_keys}
        onChange={(on) => save({ single_keys: on })}
      />
    </Section>
  );
}

/** Says that the address is not verified, and mails the verification link. */
function Unverified() {
  const profile = useProfile();
  const options = useQuery(signInOptionsQuery);
  const password = useRecentPassword();
  const verify = useMutation({
    mutationFn: () => assay.profile.changeEmail({ email: profile.email, ...password.body }),
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
          kind="secondary"
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

/** Changes the address. The change takes effect when the person follows the link mailed to the new address. */
function Email() {
  const profile = useProfile();
  const [email, setEmail] = useState(profile.email);
  const password = useRecentPassword();
  const change = useMutation({
    mutationFn: () => assay.profile.changeEmail({ email: email.trim(), ...password.body }),
    onError: password.onError,
  });
  return (
    <Section title="Email address" lead="You sign in with this address and receive emails there.">
      {!profile.email_verified && <Unverified />}
      {change.isSuccess && (
        <Note>An email is on its way to {email}. Follow its link within a day, in this browser.</Note>
      )}
      <Form
        submit="Change the address"
        kind="secondary"
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

function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [further, setFurther] = useState(nothingFurther);
  const change = useMutation({
    mutationFn: () => assay.profile.changePassword({ current_password: current, new_password: next, ...further }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      setFurther(nothingFurther);
      void queryClient.invalidateQueries({ queryKey: ['profile'] });
      showToast('The password is changed. All your other sessions have ended.');
    },
  });
  return (
    <Section title="Password" lead="A new password ends all your other sessions.">
      <Form
        submit="Change the password"
        kind="secondary"
        loading={change.isPending}
        error={change.error}
        disabledReason={current === '' || next === '' ? 'Fill in both fields first.' : null}
        onSubmit={() => change.mutate()}
      >
        <PasswordField
          label="Current password"
          field="current_password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
        />
        <NewPasswordField value={next} onChange={setNext} />
        <FurtherAccessFields value={further} onChange={setFurther} />
      </Form>
    </Section>
  );
}

function Person() {
  const profile = useProfile();
  const [name, setName] = useState(profile.name);
  const save = useMutation({
    mutationFn: () => assay.profile.update({ name: name.trim() }),
    onSuccess: (saved) => {
      queryClient.setQueryData(profileQuery.queryKey, (old) => old && { ...old, name: saved.name });
      showToast('The name is saved.');
    },
  });
  const unchanged = name.trim() === profile.name || name.trim() === '';
  return (
    <Section title="You">
      <Form
        submit="Save"
        loading={save.isPending}
        error={save.error}
        disabledReason={unchanged ? 'Change the name first.' : null}
        onSubmit={() => save.mutate()}
      >
        <TextField
          label="Name"
          field="name"
          description="Shown to others next to your changes."
          autoComplete="name"
          maxLength={200}
          value={name}
          onChange={setName}
        />
      </Form>
    </Section>
  );
}

/** The ways to sign in, then the sessions. Each list waits for the one above, so that none moves. */
function SignIn({ passkeys: offersPasskeys }: { passkeys: boolean }) {
  const { has_password: hasPassword } = useProfile();
  const passkeys = useQuery({ ...passkeysQuery, enabled: offersPasskeys });
  const sessions = useQuery(sessionsQuery);
  const showsSessions = !offersPasskeys || !passkeys.isPending;
  return (
    <>
      {hasPassword && <Password />}
      {hasPassword && <TwoFactor />}
      {offersPasskeys && <Passkeys />}
      {showsSessions && <Sessions />}
      {showsSessions && !sessions.isPending && <FailedSignIns />}
    </>
  );
}

const tabs = { account: 'Account', sign_in: 'Sign-in', tokens: 'API tokens', preferences: 'Preferences' };

/** The person's account: name, sign-in, sessions, API tokens and preferences. */
export default function ProfilePage() {
  const [search] = useUrl();
  const profile = useProfile();
  const options = useQuery(signInOptionsQuery);
  const tab = Object.hasOwn(tabs, search.tab ?? '') ? search.tab : 'account';
  return (
    <Page
      title="Profile"
      tabs={tabsOf(paths.profile, tabs, tab)}
      note={`${profile.organization.role} of ${profile.organization.name}`}
    >
      {tab === 'account' && (
        <>
          <Person />
          <Email />
          <Accounts />
        </>
      )}
      {tab === 'sign_in' && !options.isPending && <SignIn passkeys={options.data?.passkeys ?? false} />}
      {tab === 'tokens' && <Tokens />}
      {tab === 'preferences' && <Preferences />}
    </Page>
  );
}
