import type { Member, Role } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMay, useProfile } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
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

/** Names what a new role allows and takes, and then gives it. That can be undone for ten seconds. */
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
  const between = roles.filter((one) => {
    const at = roles.indexOf(one);
    const [low, high] = isRaised ? [member.role, role] : [role, member.role];
    return at > roles.indexOf(low) && at <= roles.indexOf(high);
  });
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
          <ul>
            {between.map((one) => (
              <li key={one}>
                <strong>{one}</strong>: {roleWords[one]}
              </li>
            ))}
          </ul>
          {role === 'owner' && <p>Owners can remove you from the organization.</p>}
        </div>
        {password.field}
      </Form>
    </Dialog>
  );
}

const queryKey = ['organization', 'members'];
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
    onError: showError,
  });
  return (
    <Dialog title={`Remove ${member.name}?`} onClose={onClose}>
      <p>
        {member.email} loses access at once, and the tokens of this person in this organization end. What they did
        stays.
      </p>
      <Button kind="danger" loading={remove.isPending} onClick={() => remove.mutate()}>
        Remove the member
      </Button>
    </Dialog>
  );
}

export function Members() {
  const me = useProfile();
  const own = me.organization.role;
  const mayManage = useMay('organization:write');
  const members = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const all: Member[] = [];
      for await (const member of assay.organization.members.list({ limit: 200 }, { signal })) all.push(member);
      return all;
    },
  });
  const [changed, setChanged] = useState<{ member: Member; role: Role } | null>(null);
  const [opened, setOpened] = useState<Member | null>(null);
  const [removed, setRemoved] = useState<Member | null>(null);
  const editable = (member: Member) => mayManage && member.id !== me.id && mayChange(own, member.role);
  return (
    <Section title="Members">
      <Load query={members} rows={3}>
        {(list) => (
          <Table
            label="Members"
            rows={list}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Name',
                cell: ({ id, name, email }) => (
                  <>
                    <strong>{name}</strong>
                    {id === me.id && ' (you)'}
                    <div className={classes.email}>{email}</div>
                  </>
                ),
              },
              {
                title: 'Role',
                cell: (member) =>
                  editable(member) ? (
                    <select
                      className={classes.role}
                      aria-label={`Role of ${member.name}`}
                      value={member.role}
                      onChange={(event) => setChanged({ member, role: event.currentTarget.value as Role })}
                    >
                      {roleOptions
                        .filter(({ value }) => mayChange(own, value as Role))
                        .map(({ value, label }) => (
                          <option key={value} value={value}>
                            {label}
                          </option>
                        ))}
                    </select>
                  ) : (
                    member.role
                  ),
              },
              { title: 'Joined', cell: ({ joined_at }) => <Time at={joined_at} /> },
              {
                title: 'Last active',
                cell: ({ last_active_at }) => (last_active_at ? <Time at={last_active_at} /> : 'never'),
              },
              ...(mayManage
                ? [
                    {
                      title: 'Actions',
                      isActions: true,
                      cell: (member: Member) => (
                        <div className={classes.actions}>
                          <Button size="xs" onClick={() => setOpened(member)}>
                            Access
                          </Button>
                          {editable(member) && (
                            <Button size="xs" onClick={() => setRemoved(member)}>
                              Remove
                            </Button>
                          )}
                        </div>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Load>
      {opened && (
        <MemberAccessDialog member={opened} mayEnd={mayChange(own, opened.role)} onClose={() => setOpened(null)} />
      )}
      {changed && <RoleDialog {...changed} onClose={() => setChanged(null)} />}
      {removed && <RemoveDialog member={removed} onClose={() => setRemoved(null)} />}
    </Section>
  );
}
