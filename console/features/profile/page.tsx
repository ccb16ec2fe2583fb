import { useQuery } from '@tanstack/react-query';
import { useProfile } from '../../api/session.ts';
import { signInOptionsQuery } from '../../api/sign-in-options.ts';
import { Page } from '../../ui/page.tsx';
import { Accounts } from './accounts.tsx';
import { Email } from './email.tsx';
import { FailedSignIns } from './failed-sign-ins.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Person } from './person.tsx';
import { Preferences } from './preferences.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';
import { TwoFactor } from './two-factor.tsx';

/** The person's account: name, sign-in, sessions and API tokens. */
export default function ProfilePage() {
  const profile = useProfile();
  const options = useQuery(signInOptionsQuery);
  return (
    <Page title="Profile" lead={`${profile.email} · ${profile.organization.role} of ${profile.organization.name}`}>
      <Person />
      <Tokens />
      <Email />
      <Accounts />
      {profile.has_password && <Password />}
      {profile.has_password && <TwoFactor />}
      {options.data?.passkeys && <Passkeys />}
      <Sessions />
      <FailedSignIns />
      <Preferences />
    </Page>
  );
}
