import type { Policy, SignInPolicy } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { policyQuery } from '../../api/policy.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Switch, TextArea } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import classes from './organization.module.css';
import { isDays } from './policy-draft.ts';

function Rules({ second_factor, single_sign_on, password, token_longest_days, allowed_addresses }: SignInPolicy) {
  return (
    <ul className={classes.rules}>
      <li>{second_factor ? 'A second factor is required.' : 'A second factor is not required.'}</li>
      <li>{single_sign_on ? 'Only single sign-on is accepted.' : 'Single sign-on is not required.'}</li>
      <li>{password ? 'Password sign-in is allowed.' : 'Password sign-in is not allowed.'}</li>
      <li>
        {token_longest_days === null
          ? 'API tokens can be valid indefinitely.'
          : `API tokens end ${token_longest_days} days after they were created.`}
      </li>
      <li>
        {allowed_addresses.length === 0
          ? 'Requests are accepted from any address.'
          : `Requests are accepted only from ${allowed_addresses.join(', ')}.`}
      </li>
    </ul>
  );
}

function SignInDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const [draft, setDraft] = useState(policy.sign_in);
  const [days, setDays] = useState(policy.sign_in.token_longest_days?.toString() ?? '');
  const [addresses, setAddresses] = useState(policy.sign_in.allowed_addresses.join('\n'));
  const [lockOut, setLockOut] = useState(false);
  const change = (values: Partial<SignInPolicy>) => setDraft({ ...draft, ...values });
  const save = useMutation({
    mutationFn: () => {
      const allowed_addresses = addresses.split(/[\s,]+/).filter((text) => text !== '');
      const sign_in = { ...draft, token_longest_days: days.trim() === '' ? null : Number(days), allowed_addresses };
      return assay.organization.replacePolicy({ ...policy, sign_in, ...(lockOut && { lock_out: true }) });
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(policyQuery.queryKey, saved);
      showToast('The sign-in policy is saved and applies from now on.');
      onClose();
    },
  });
  return (
    <Dialog title="Sign-in policy" onClose={onClose} size="lg">
      <Form
        submit="Save"
        loading={save.isPending}
        error={save.error}
        disabledReason={isDays(days) ? null : 'Enter a whole number of days from 1 to 3650, or leave it empty.'}
        onCancel={onClose}
        onSubmit={() => save.mutate()}
      >
        <Switch
          label="Require a second factor"
          description="A code, a passkey or single sign-on. Members without one are asked to set one up."
          checked={draft.second_factor}
          onChange={(second_factor) => change({ second_factor })}
        />
        <Switch
          label="Require single sign-on"
          checked={draft.single_sign_on}
          onChange={(single_sign_on) => change({ single_sign_on })}
        />
        <Switch label="Allow password sign-in" checked={draft.password} onChange={(password) => change({ password })} />
        <TextField
          label="Maximum life of API tokens, in days"
          field="sign_in.token_longest_days"
          description="Leave empty for no limit. Older tokens end at once."
          inputMode="numeric"
          value={days}
          onChange={setDays}
        />
        <TextArea
          label="Allowed addresses"
          field="sign_in.allowed_addresses"
          description="Addresses and networks, such as 192.0.2.0/24 or 2001:db8::/32, one per line. Leave empty to allow all."
          rows={3}
          value={addresses}
          onChange={setAddresses}
        />
        <Checkbox label="Save even if it blocks my own sign-in or address" checked={lockOut} onChange={setLockOut} />
      </Form>
    </Dialog>
  );
}

/** The policy on how members and their tokens sign in to the organization. */
export function SignInPolicySection() {
  const query = useQuery(policyQuery);
  const mayManage = useMay('organization:write');
  const [editing, setEditing] = useState(false);
  return (
    <Section
      title="Sign-in"
      lead="How members sign in, and the addresses that they and their API tokens may use."
      actions={mayManage && query.data && <Button onClick={() => setEditing(true)}>Change the sign-in policy</Button>}
    >
      <Load query={query} rows={3}>
        {(policy) => (
          <>
            <Rules {...policy.sign_in} />
            {editing && <SignInDialog policy={policy} onClose={() => setEditing(false)} />}
          </>
        )}
      </Load>
    </Section>
  );
}
