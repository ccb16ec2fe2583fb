import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { callAuth } from '../../api/call.ts';
import { switchOrganization } from '../../api/organizations.ts';
import { queryClient } from '../../api/query-client.ts';
import { profileQuery } from '../../api/session.ts';
import { paths } from '../../paths.ts';
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
};

type Accepted = { user: { id: string }; organization_id: string };

/**
 * Opens the organization: for a new person with the password just chosen, and for one who is signed in as the one invited.
 * Others sign in first.
 */
async function enter(accepted: Accepted, { email }: Invitation, password: string, go: () => void): Promise<void> {
  if (password !== '') {
    const { status } = await callAuth<{ status: string }>('sign-in/email', { email, password });
    if (status !== 'signed_in') return go();
  } else {
    const profile = await queryClient.fetchQuery({ ...profileQuery, staleTime: 0 }).catch(() => null);
    if (profile?.id !== accepted.user.id) return go();
    await switchOrganization(accepted.organization_id);
  }
  // The page is reloaded, so that nothing of an earlier session is left in memory.
  location.assign(paths.overview);
}

function AcceptForm({ token, invitation }: { token: string; invitation: Invitation }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: () =>
      callAuth<Accepted>('accept-invitation', {
        token,
        ...(!invitation.has_account && { password, ...(name.trim() !== '' && { name: name.trim() }) }),
      }),
    onSuccess: (accepted) => {
      const signIn = () => void navigate({ to: paths.signIn, search: { reason: 'accepted' } as never });
      return enter(accepted, invitation, password, signIn).catch(signIn);
    },
  });
  return (
    <Form
      submit="Accept the invitation"
      loading={accept.isPending}
      error={accept.error}
      onSubmit={() => accept.mutate()}
    >
      <p>
        You join as <strong>{invitation.role}</strong> with {invitation.email}. The invitation ends on{' '}
        {formatDay(invitation.expires_at)}.
      </p>
      {invitation.has_account ? (
        <p>You already have an account and keep its password.</p>
      ) : (
        <>
          <TextField label="Your name" name="name" autoComplete="name" autoFocus value={name} onChange={setName} />
          <PasswordField
            label="Choose a password"
            description="At least 8 characters."
            name="new-password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
          />
        </>
      )}
    </Form>
  );
}

/** The page behind the link of an invitation. */
export default function AcceptInvitationPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string };
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
          Ask for a new one, or <Link to={paths.signIn}>sign in</Link>.
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
