import type { NewApiToken, Scope } from '@assay/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { Check } from '../../list/check.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice, Select } from '../../ui/choice-fields.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Note } from '../../ui/states.tsx';
import classes from './profile.module.css';
import { useRecentPassword } from './recent-password.tsx';
import { readScopes, scopeResources } from './scope-words.ts';

const dayMs = 86_400_000;
const expiryOf = (days: string) =>
  days === 'never' ? null : new Date(serverNow() + Number(days) * dayMs).toISOString().replace(/\.\d+Z$/, 'Z');

function ScopeMatrix({ scopes, onChange }: { scopes: ReadonlySet<Scope>; onChange: (scopes: Set<Scope>) => void }) {
  const toggle = (scope: Scope) => {
    const next = new Set(scopes);
    if (!next.delete(scope)) next.add(scope);
    onChange(next);
  };
  return (
    <table className={classes.matrix} aria-label="Scopes">
      <thead>
        <tr>
          <th scope="col">Resource</th>
          <th scope="col">Read</th>
          <th scope="col">Write</th>
        </tr>
      </thead>
      <tbody>
        {scopeResources.map(([resource, name]) => (
          <tr key={resource}>
            <th scope="row">{name}</th>
            {(['read', 'write'] as const).map((verb) => {
              const scope = `${resource}:${verb}` as Scope;
              return (
                <td key={verb}>
                  <Check label={`${name}: ${verb}`} checked={scopes.has(scope)} onChange={() => toggle(scope)} />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The token, shown only once, with a command that uses it. */
function Made({ token, onClose }: { token: NewApiToken; onClose: () => void }) {
  const command = `curl -H 'Authorization: Bearer ${token.token}' '${location.origin}/api/v1/findings?limit=5'`;
  return (
    <div className={classes.stack}>
      <Note kind="warning">The token is shown only now. Store it in your password manager.</Note>
      <CodeBlock text={token.token} testId="token" />
      <div>
        <CopyButton text={token.token} label="Copy the token" autoFocus />
      </div>
      <p>Try it:</p>
      <CodeBlock text={command} testId="command" />
      <div className={classes.ends}>
        <CopyButton text={command} label="Copy the command" />
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

const accesses = { read: 'Read only', chosen: 'Chosen scopes', all: 'All your permissions' };

export function NewTokenDialog({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [access, setAccess] = useState<keyof typeof accesses>('chosen');
  const [scopes, setScopes] = useState<Set<Scope>>(new Set(['findings:read'] as Scope[]));
  const given = { read: readScopes, chosen: [...scopes], all: null }[access];
  const password = useRecentPassword();
  const make = useMutation({
    mutationFn: () =>
      assay.profile.tokens.create({
        name: name.trim(),
        expires_at: expiryOf(days),
        scopes: given,
        ...password.body,
      } as Parameters<typeof assay.profile.tokens.create>[0]),
    onSuccess: onMade,
    onError: password.onError,
  });
  const missing =
    name.trim() === '' ? 'Enter a name first.' : given?.length === 0 ? 'Choose a scope.' : password.missing;
  return (
    <Dialog title="New API token" onClose={onClose}>
      {make.data ? (
        <Made token={make.data} onClose={onClose} />
      ) : (
        <Form
          submit="Create token"
          loading={make.isPending}
          error={password.shown(make.error)}
          disabledReason={missing}
          onCancel={onClose}
          onSubmit={() => make.mutate()}
        >
          <TextField
            label="Name"
            field="name"
            description="What it is for."
            value={name}
            autoFocus
            maxLength={200}
            onChange={setName}
          />
          <Select
            label="Expires"
            field="expires_at"
            value={days}
            onChange={setDays}
            options={[
              { value: '7', label: 'In 7 days' },
              { value: '30', label: 'In 30 days' },
              { value: '90', label: 'In 90 days' },
              { value: '365', label: 'In a year' },
              { value: 'never', label: 'Never' },
            ]}
          />
          <div className={classes.row}>
            <span>Access</span>
            <Choice
              label="Access"
              value={access}
              onChange={(value) => setAccess(value as typeof access)}
              options={Object.entries(accesses).map(([value, label]) => ({ value, label }))}
            />
          </div>
          {access === 'chosen' && <ScopeMatrix scopes={scopes} onChange={setScopes} />}
          {password.field}
        </Form>
      )}
    </Dialog>
  );
}
