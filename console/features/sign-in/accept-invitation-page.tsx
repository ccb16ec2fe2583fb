import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callAuth } from '../../api/call.ts';
import { switchOrganization } from '../../api/organizations.ts';
import { pageParameters, paths } from '../../paths.ts';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Failure, Load } from '../../ui/states.tsx';
import { formatDay } from '../../ui/time.tsx';
import { Frame } from './frame.tsx';

type Invitation = {
  email: string;
  organization: string;
  role: string;
  invited_by: string | null;
  expires_at: string;
  has_account: boolean;
  can_accept: boolean;
};

type Accepted = { user: { id: string }; organization_id: string };

/** Opens the organization with the new password, or with the session that accepted the invitation. */
async function enter(accepted: Accepted, { email }: Invitation, password: string, go: () => void): Promise<void> {
  if (password !== '') {
    const wanted = { email, password, user_id: accepted.user.id };
    const { status } = await callAuth<{ status: string }>('sign-in/email', wanted);
    if (status !== 'signed_in') return go();
  } else {
    await switchOrganization(accepted.organization_id);
  }
  // The page is reloaded, so that nothing of an earlier session is left in memory.
  location.assign(paths.overview);
}

/** The sign-in, which returns to this page. */
function SignInLink({ token, children }: { token: string; children: string }) {
  const redirect = `${paths.acceptInvitation}?token=${encodeURIComponent(token)}`;
  return <a href={`${paths.signIn}?${new URLSearchParams({ redirect })}`}>{children}</a>;
}

/** The form of a person who creates a new account. */
function NewAccount(props: {
  name: string;
  password: string;
  onName: (name: string) => void;
  onPassword: (password: string) => void;
}) {
  return (
    <>
      <TextField
        label="Your name"
        field="name"
        name="name"
        autoComplete="name"
        autoFocus
        value={props.name}
        onChange={props.onName}
      />
      <PasswordField
        label="Choose a password"
        field="password"
        description="At least 8 characters."
        name="new-password"
        autoComplete="new-password"
        value={props.password}
        onChange={props.onPassword}
      />
    </>
  );
}

const Joining = ({ role, email, expires_at }: Invitation) => (
  <p>
    You join as <strong>{role}</strong> with {email}. The invitation ends on {formatDay(expires_at)}.
  </p>
);

function AcceptForm({ token, invitation }: { token: string; invitation: Invitation }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const isNew = !invitation.can_accept;
  const accept = useMutation({
    mutationFn: () =>
      callAuth<Accepted>('accept-invitation', {
        token,
        ...(isNew && { password, ...(name.trim() !== '' && { name: name.trim() }) }),
      }),
    onSuccess: (accepted) => {
      const signIn = () => location.assign(`${paths.signIn}?reason=accepted`);
      return enter(accepted, invitation, password, signIn).catch(signIn);
    },
  });
  if (isNew && invitation.has_account) {
    return (
      <>
        <Joining {...invitation} />
        <p>You have an account with this address. Sign in to it, and you come back here.</p>
        <SignInLink token={token}>Sign in to accept</SignInLink>
      </>
    );
  }
  return (
    <>
      <Form
        submit="Accept the invitation"
        loading={accept.isPending}
        error={accept.error}
        onSubmit={() => accept.mutate()}
      >
        <Joining {...invitation} />
        {isNew ? (
          <NewAccount name={name} password={password} onName={setName} onPassword={setPassword} />
        ) : (
          <p>You are signed in with this address, and keep your account.</p>
        )}
      </Form>
      {isNew && (
        <p>
          Do you have an account with this address? <SignInLink token={token}>Sign in to accept with it</SignInLink>
        </p>
      )}
    </>
  );
}

/** The page behind the link of an invitation. */
export default function AcceptInvitationPage() {
  const { token = '' } = pageParameters() as { token?: string };
  const invitation = useQuery({
    queryKey: ['auth', 'invitation', token],
    queryFn: () => callAuth<Invitation>('invitation', { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (invitation.error) {
    return (
      <Frame title="This invitation cannot be used" lead="It was used, replaced or revoked, or it has expired.">
        <Failure error={invitation.error} />
        <p>
          Ask for a new one, or <a href={paths.signIn}>sign in</a>.
        </p>
      </Frame>
    );
  }
  return (
    <Frame
      title={invitation.data ? `Join ${invitation.data.organization}` : 'Invitation'}
      lead={invitation.data?.invited_by && `${invitation.data.invited_by} invites you.`}
    >
      <Load query={invitation}>{(data) => <AcceptForm token={token} invitation={data} />}</Load>
    </Frame>
  );
}
