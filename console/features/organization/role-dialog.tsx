import type { Member, Role } from '@assay/client';
import { useMutation } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { useRecentPassword } from '../profile/recent-password.tsx';
import { roles, roleWords } from './words.ts';

async function setRole({ id }: Member, role: Role, password: { password?: string } = {}): Promise<void> {
  await assay.organization.members.update(id, { role, ...password });
  await queryClient.invalidateQueries({ queryKey: ['organization'] });
}

/** Names what a new role allows and takes, and then gives it. That can be undone for ten seconds. */
export function RoleDialog({ member, role, onClose }: { member: Member; role: Role; onClose: () => void }) {
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
