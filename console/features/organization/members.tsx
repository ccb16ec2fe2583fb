import type { Member, Role } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { memberChoicesQuery } from '../../api/pickers.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMay, useProfile } from '../../api/session.ts';
import { List, type ListColumn } from '../../list/list.tsx';
import { Named } from '../../list/named.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choice-fields.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { useRecentPassword } from '../profile/recent-password.tsx';
import { MemberAccessDialog } from './member-access.tsx';
import classes from './organization.module.css';
import { roleOptions, roles, roleWords } from './words.ts';

async function setRole({ id }: Member, role: Role, password: { password?: string } = {}): Promise<void> {
  await assay.organization.members.update(id, { role, ...password });
  await queryClient.invalidateQueries({ queryKey: ['organization'] });
}

const RoleList = ({ roles: listed }: { roles: Role[] }) => (
  <ul>
    {listed.map((one) => (
      <li key={one}>
        <strong>{one}</strong>: {roleWords[one]}
      </li>
    ))}
  </ul>
);

/** Lists what a new role allows and removes, then assigns it. That can be undone for ten seconds. */
function RoleDialog({ member, role, onClose }: { member: Member; role: Role; onClose: () => void }) {
  const password = useRecentPassword(role === 'owner');
  const change = useMutation({
    mutationFn: () => setRole(member, role, password.body),
    onError: password.onError,
    onSuccess: () => {
      showToast(`${member.name} is now ${role}.`, {
        label: 'Undo',
        run: () =>
          void setRole(member, member.role).then(() => showToast(`${member.name} is ${member.role} again.`), showError),
      });
      onClose();
    },
  });
  const isRaised = roles.indexOf(role) > roles.indexOf(member.role);
  const [low, high] = [member.role, role].map((one) => roles.indexOf(one)).sort((a, b) => a - b);
  const between = roles.slice(low! + 1, high! + 1);
  return (
    <Dialog title={`Make ${member.name} ${role}?`} onClose={onClose}>
      <Form
        submit={`Make ${role}`}
        kind={role === 'owner' ? 'danger' : 'primary'}
        loading={change.isPending}
        error={password.shown(change.error)}
        disabledReason={password.missing}
        onSubmit={() => change.mutate()}
        onCancel={onClose}
      >
        <div>
          <p>
            {member.email} is {member.role}. With the next request, this person{' '}
            {isRaised ? 'also may' : 'may no longer'} do what these roles do:
          </p>
          <RoleList roles={between} />
          {role === 'owner' && <p>Owners can remove you from the organization.</p>}
        </div>
        {password.field}
      </Form>
    </Dialog>
  );
}

const renew = () => queryClient.invalidateQueries({ queryKey: ['organization'] });

/** Whether a person with the role `own` may change a member with the role `other`: nobody changes a member above them. */
const mayChange = (own: Role, other: Role) => roles.indexOf(own) >= roles.indexOf(other);

function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => assay.organization.members.delete(member.id),
    onSuccess: () => {
      void renew();
      showToast(`${member.name} is no longer a member.`);
      onClose();
    },
  });
  return (
    <Confirm
      title={`Remove ${member.name}?`}
      action="Remove the member"
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {member.email} loses access at once, and the tokens of this person in this organization end. Their work stays.
    </Confirm>
  );
}

/** The role of a member, which people with a higher role can change. */
function RoleSelect({ member, onChange }: { member: Member; onChange: (role: Role) => void }) {
  const own = useProfile().organization.role;
  return (
    <div className={classes.role}>
      <Select
        label={`Role of ${member.name}`}
        isLabelHidden
        value={member.role}
        onChange={(role) => onChange(role as Role)}
        options={roleOptions.filter(({ value }) => mayChange(own, value as Role))}
      />
    </div>
  );
}

type Asked = { member: Member; for: 'access' | 'removal' } | { member: Member; for: 'role'; role: Role };

function useColumns(ask: (asked: Asked) => void): ListColumn<Member>[] {
  const me = useProfile();
  const mayManage = useMay('organization:write');
  const editable = (member: Member) => mayManage && member.id !== me.id && mayChange(me.organization.role, member.role);
  const actions = (member: Member) => (
    <div className={classes.actions}>
      <Button size="xs" onClick={() => ask({ member, for: 'access' })}>
        Access
      </Button>
      {editable(member) && (
        <Button size="xs" onClick={() => ask({ member, for: 'removal' })}>
          Remove
        </Button>
      )}
    </div>
  );
  return [
    {
      title: 'Name',
      cell: ({ id, name, email }) => (
        <Named note={email}>
          {name}
          {id === me.id && ' (you)'}
        </Named>
      ),
      text: ({ name }) => name,
      by: ({ name }) => name,
    },
    {
      title: 'Role',
      width: '120px',
      phone: 'line',
      cell: (member) =>
        editable(member) ? (
          <RoleSelect member={member} onChange={(role) => ask({ member, for: 'role', role })} />
        ) : (
          capitalized(member.role)
        ),
      text: ({ role }) => role,
      by: ({ role }) => roles.indexOf(role),
    },
    {
      title: 'Joined',
      width: '140px',
      gives: 2,
      cell: ({ joined_at }) => <Time at={joined_at} />,
      text: ({ joined_at }) => joined_at,
      by: ({ joined_at }) => joined_at,
    },
    {
      title: 'Last active',
      width: '140px',
      gives: 1,
      cell: ({ last_active_at }) => (last_active_at ? <Time at={last_active_at} /> : 'never'),
      text: ({ last_active_at }) => last_active_at ?? '',
      by: ({ last_active_at }) => last_active_at ?? '',
    },
    ...(mayManage ? [{ title: 'Actions', width: '168px', isActions: true, cell: actions }] : []),
  ];
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const contains = (text: string, part: string) => text.toLowerCase().includes(part.trim().toLowerCase());

export function Members() {
  const own = useProfile().organization.role;
  const members = useQuery(memberChoicesQuery);
  const [part, setPart] = useState('');
  const [asked, setAsked] = useState<Asked | null>(null);
  const columns = useColumns(setAsked);
  const close = () => setAsked(null);
  return (
    <>
      <List
        label="Members"
        name="members"
        query={{ ...members, data: members.data?.filter(({ name, email }) => contains(`${name} ${email}`, part)) }}
        columns={columns}
        idOf={({ id }) => id}
        filters={<TextField label="Search" placeholder="Name or address" value={part} onChange={setPart} />}
        onClear={part.trim() === '' ? null : () => setPart('')}
        noMatch="No matching members"
        empty={<Empty title="No members yet" />}
      />
      {asked?.for === 'access' && (
        <MemberAccessDialog member={asked.member} mayEnd={mayChange(own, asked.member.role)} onClose={close} />
      )}
      {asked?.for === 'role' && <RoleDialog member={asked.member} role={asked.role} onClose={close} />}
      {asked?.for === 'removal' && <RemoveDialog member={asked.member} onClose={close} />}
    </>
  );
}
