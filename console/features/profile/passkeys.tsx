import type { Passkey } from '@assay/client';
import { startRegistration } from '@simplewebauthn/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callProfile } from '../../api/call.ts';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { FurtherAccessFields, nothingFurther } from '../../ui/further-access.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import classes from './profile.module.css';
import { passkeysQuery } from './queries.ts';
import { useRecentPassword } from './recent-password.tsx';

type PublicKeyOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

const renew = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });

async function addPasskey(name: string, body: { password?: string }): Promise<void> {
  const optionsJSON = await callProfile<PublicKeyOptions>('POST', '/passkeys/options', body);
  const credential = await startRegistration({ optionsJSON });
  await callProfile<unknown>('POST', '/passkeys', { name, credential });
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const password = useRecentPassword();
  const add = useMutation({
    mutationFn: () => addPasskey(name.trim(), password.body),
    onError: password.onError,
    onSuccess: () => {
      void renew();
      showToast('The passkey is added.');
      onClose();
    },
  });
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <Form
        submit="Continue"
        loading={add.isPending}
        error={password.shown(add.error)}
        disabledReason={name.trim() === '' ? 'Enter a name first.' : password.missing}
        onCancel={onClose}
        onSubmit={() => add.mutate()}
      >
        <TextField
          label="Name"
          field="name"
          description="The name of this device or security key."
          value={name}
          autoFocus
          maxLength={200}
          onChange={setName}
        />
        {password.field}
      </Form>
    </Dialog>
  );
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [further, setFurther] = useState(nothingFurther);
  const remove = useMutation({
    mutationFn: async () => assay.profile.passkeys.delete(passkey.id, further),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['profile'] });
      showToast(`The passkey ${passkey.name} is removed.`);
      onClose();
    },
  });
  return (
    <Confirm
      title={`Remove the passkey ${passkey.name}?`}
      action="Remove the passkey"
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className={classes.stack}>
        <p>You can no longer sign in with it. This can’t be undone.</p>
        <FurtherAccessFields value={further} onChange={setFurther} passkeys="Remove my other passkeys too" />
      </div>
    </Confirm>
  );
}

const columnsOf = (onRemove: (passkey: Passkey) => void): Column<Passkey>[] => [
  { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { title: 'Added', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: 'Last used',
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'never'),
  },
  {
    title: 'Remove',
    isActions: true,
    cell: (passkey) => (
      <Button size="xs" onClick={() => onRemove(passkey)}>
        Remove
      </Button>
    ),
  },
];

/** Device keys for signing in without a password. */
export function Passkeys() {
  const passkeys = useQuery(passkeysQuery);
  const [adding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  return (
    <Section
      title="Passkeys"
      lead="Sign in with this device or a security key, without a password."
      actions={
        <Button icon={IconPlus} onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      }
    >
      <Load query={passkeys} rows={2}>
        {(data) =>
          data.length === 0 ? (
            <p>You have no passkeys yet.</p>
          ) : (
            <Table label="Passkeys" rows={data} keyOf={({ id }) => id} columns={columnsOf(setRemoved)} />
          )
        }
      </Load>
      {removed && <RemoveDialog passkey={removed} onClose={() => setRemoved(null)} />}
      {adding && <AddDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}
