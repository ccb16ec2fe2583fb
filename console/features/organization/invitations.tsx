import type { Invitation, Role } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useProfile } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choice-fields.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { formatDay } from '../../ui/time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { useRecentPassword } from '../profile/recent-password.tsx';
import classes from './organization.module.css';
import { capitalized, roleOptions, roles, roleWords } from './words.ts';

const queryKey = ['organization', 'invitations'];
const renew = () => queryClient.invalidateQueries({ queryKey });

/** The link of an invitation if no mail is sent. The server returns it once. */
type WithLink = Invitation & { url?: string | null };

/** Whether only browsers on the server's own machine can open an address. */
const isLocal = (url: string | null | undefined) => /^https?:\/\/(localhost|127\.|\[::1\])/.test(url ?? '');

function LinkDialog({ invitation, onClose }: { invitation: WithLink; onClose: () => void }) {
  return (
    <Dialog title={`Invitation for ${invitation.email}`} onClose={onClose}>
      <div className={classes.stack}>
        <p>
          Email is not configured here. Send this link to the person yourself: it works once, and is shown only now.
        </p>
        <CodeBlock text={invitation.url ?? ''} />
        <div>
          <CopyButton text={invitation.url ?? ''} label="Copy the link" autoFocus />
        </div>
        {isLocal(invitation.url) && (
          <p className={classes.hint}>
            It opens only on the machine that runs Assay. For other machines, start Assay with{' '}
            <code>ASSAY_BASE_URL</code>, the address that people open.
          </p>
        )}
      </div>
    </Dialog>
  );
}

function InviteDialog({ onInvited, onClose }: { onInvited: (invitation: WithLink) => void; onClose: () => void }) {
  const own = useProfile().organization.role;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('analyst');
  const password = useRecentPassword(role === 'owner');
  const invite = useMutation({
    mutationFn: () => assay.organization.invitations.create({ email: email.trim(), role, ...password.body }),
    onError: password.onError,
    onSuccess: (invitation) => {
      void renew();
      onInvited(invitation as WithLink);
    },
  });
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <Form
        submit="Invite"
        loading={invite.isPending}
        error={password.shown(invite.error)}
        disabledReason={email.trim() === '' ? 'Enter an address first.' : password.missing}
        onCancel={onClose}
        onSubmit={() => invite.mutate()}
      >
        <TextField label="Email" field="email" type="email" autoFocus value={email} onChange={setEmail} />
        <Select
          label="Role"
          description={roleWords[role]}
          value={role}
          onChange={(value) => setRole(value as Role)}
          options={roleOptions.filter(({ value }) => roles.indexOf(value as Role) <= roles.indexOf(own))}
        />
        {password.field}
      </Form>
    </Dialog>
  );
}

const columnsOf = (onResend: (id: string) => void, onRevoke: (id: string) => void): Column<Invitation>[] => [
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => capitalized(role) },
  { title: 'Status', cell: ({ status }) => capitalized(status) },
  { title: 'Invited by', cell: ({ invited_by }) => invited_by?.name ?? 'Assay' },
  { title: 'Expires', cell: ({ expires_at }) => formatDay(expires_at) },
  {
    title: 'Actions',
    isActions: true,
    cell: ({ id, status }) =>
      status === 'pending' || status === 'expired' ? (
        <span className={classes.actions}>
          <Button size="xs" onClick={() => onResend(id)}>
            New link
          </Button>
          {status === 'pending' && (
            <Button size="xs" onClick={() => onRevoke(id)}>
              Revoke
            </Button>
          )}
        </span>
      ) : null,
  },
];

const useRevoke = () =>
  useMutation({
    mutationFn: (id: string) => assay.organization.invitations.delete(id),
    onSuccess: () => renew(),
    onError: showError,
  });

export function Invitations() {
  const invitations = useQuery({
    queryKey,
    queryFn: ({ signal }) => assay.organization.invitations.list({ limit: 200 }, { signal }),
  });
  const [{ add }, change] = useUrl();
  const [shown, setShown] = useState<WithLink | null>(null);
  const onInvited = (invitation: WithLink) => {
    change({ add: '' });
    if (invitation.url) setShown(invitation);
    else showToast(`An email to ${invitation.email} is on its way.`);
  };
  const resend = useMutation({
    mutationFn: (id: string) => assay.organization.invitations.resend(id),
    onSuccess: (invitation) => {
      void renew();
      onInvited(invitation as WithLink);
    },
    onError: showError,
  });
  const revoke = useRevoke();
  return (
    <Section title="Invitations">
      <Load query={invitations} rows={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p>No pending invitations.</p>
          ) : (
            <Table
              label="Invitations"
              rows={data}
              keyOf={({ id }) => id}
              columns={columnsOf(resend.mutate, revoke.mutate)}
            />
          )
        }
      </Load>
      {add === 'invitation' && <InviteDialog onInvited={onInvited} onClose={() => change({ add: '' })} />}
      {shown && <LinkDialog invitation={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}
