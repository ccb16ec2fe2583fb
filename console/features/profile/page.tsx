import { useProfile } from '../../api/session.ts';
import { Page } from '../../ui/page.tsx';
import { Password } from './password.tsx';
import { Person } from './person.tsx';
import { Preferences } from './preferences.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';
import { TwoFactor } from './two-factor.tsx';

/** One's own account: who one is, how one signs in, and the tokens of one's programs. */
export default function ProfilePage() {
  const profile = useProfile();
  return (
    <Page title="Profile" lead={`${profile.email} · ${profile.organization.role} of ${profile.organization.name}`}>
      <Person />
      <Tokens />
      <Password />
      <TwoFactor />
      <Sessions />
      <Preferences />
    </Page>
  );
}
