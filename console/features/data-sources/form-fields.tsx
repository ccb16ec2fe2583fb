import type { DataSourceKind } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { criticalityNames, exposureNames } from '../../api/importance.ts';
import { memberChoicesQuery } from '../../api/pickers.ts';
import { type Option, Select, TextArea } from '../../ui/choice-fields.tsx';
import { Checkbox, PasswordField, TextField } from '../../ui/fields.tsx';
import classes from './data-sources.module.css';
import type { CredentialKind, Draft } from './draft.ts';

type Fields = Pick<Draft, 'criticality' | 'exposure' | 'owner' | 'tags'>;

const optionsOf = (names: Record<string, string>): Option[] =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** The owner and the importance of a data source, which determine due dates and priorities. */
function ImportanceFields({ draft, change }: { draft: Fields; change: (values: Partial<Fields>) => void }) {
  const members = useQuery(memberChoicesQuery);
  const people = (members.data ?? []).map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }));
  return (
    <>
      <div className={classes.pair}>
        <Select
          label="Criticality"
          description="How much depends on it"
          value={draft.criticality}
          onChange={(value) => change({ criticality: value as Fields['criticality'] })}
          options={optionsOf(criticalityNames)}
        />
        <Select
          label="Exposure"
          description="Who can reach it"
          value={draft.exposure}
          onChange={(value) => change({ exposure: value as Fields['exposure'] })}
          options={optionsOf(exposureNames)}
        />
      </div>
      <div className={classes.pair}>
        <Select
          label="Owner"
          value={draft.owner}
          onChange={(owner) => change({ owner })}
          options={[{ value: '', label: 'Nobody' }, ...people]}
          searchable
          field="owner"
        />
        <TextField
          label="Tags"
          placeholder="payments, pci"
          value={draft.tags}
          onChange={(tags) => change({ tags })}
          field="tags"
        />
      </div>
    </>
  );
}

type FieldsProps = {
  draft: Draft;
  change: (values: Partial<Draft>) => void;
  /** Whether a credential is already stored. */
  stored?: boolean;
};

const addressFields: Record<
  Exclude<DataSourceKind, 'upload'>,
  { label: string; placeholder: string; hint?: string }
> = {
  git_repository: {
    label: 'URL',
    placeholder: 'https://github.com/example/payments-api.git',
    hint: 'The https or ssh URL that you would clone. Enter a credential below, not in the URL.',
  },
  website: { label: 'URL', placeholder: 'https://www.example.com' },
  host: { label: 'Address', placeholder: 'server.example.com', hint: 'A name or an IP address.' },
  container_image: { label: 'Image', placeholder: 'registry.example.com/payments:1.4' },
};

const credentialNames: Record<CredentialKind, string> = {
  none: 'None: the repository is public',
  token: 'Access token',
  password: 'User name and password',
  key: 'SSH key',
  stored: 'Keep the stored one',
};

function CredentialFields({ draft, change, stored }: FieldsProps) {
  const kinds: CredentialKind[] = [...(stored ? (['stored'] as const) : []), 'none', 'token', 'password', 'key'];
  return (
    <>
      <Select
        label="Credential"
        description="Stored encrypted and never shown again."
        value={draft.credential}
        onChange={(value) => change({ credential: value as CredentialKind, secret: '', username: '', passphrase: '' })}
        options={kinds.map((value) => ({ value, label: credentialNames[value] }))}
        field="config.credential"
      />
      {draft.credential === 'token' && (
        <PasswordField
          label="Token"
          autoComplete="off"
          value={draft.secret}
          onChange={(secret) => change({ secret })}
        />
      )}
      {draft.credential === 'password' && (
        <>
          <TextField
            label="User name"
            autoComplete="off"
            value={draft.username}
            onChange={(username) => change({ username })}
          />
          <PasswordField
            label="Password"
            autoComplete="off"
            value={draft.secret}
            onChange={(secret) => change({ secret })}
          />
        </>
      )}
      {draft.credential === 'key' && (
        <>
          <TextArea label="Private key" value={draft.secret} onChange={(secret) => change({ secret })} />
          <PasswordField
            label="Passphrase, if it has one"
            autoComplete="off"
            value={draft.passphrase}
            onChange={(passphrase) => change({ passphrase })}
          />
        </>
      )}
    </>
  );
}

/** The fields of one kind of data source. */
export function DataSourceFields(props: FieldsProps) {
  const { draft, change } = props;
  const address = draft.kind === 'upload' ? null : addressFields[draft.kind];
  return (
    <>
      {address && (
        <TextField
          label={address.label}
          description={address.hint}
          placeholder={address.placeholder}
          autoFocus
          required
          value={draft.address}
          onChange={(value) => change({ address: value })}
          field="config.url config.address config.reference"
        />
      )}
      {draft.kind === 'git_repository' && (
        <TextField
          label="Branch"
          description="Leave empty for the default branch."
          value={draft.branch}
          onChange={(branch) => change({ branch })}
          field="config.branch"
        />
      )}
      {draft.kind === 'git_repository' && (
        <Checkbox
          label="Also search other branches and tags for secrets"
          checked={draft.allBranches}
          onChange={(allBranches) => change({ allBranches })}
        />
      )}
      {draft.kind === 'git_repository' && <CredentialFields {...props} />}
      <TextField
        label="Name"
        description={address ? 'Leave empty to use the address as the name.' : undefined}
        required={!address}
        autoFocus={!address}
        value={draft.name}
        onChange={(name) => change({ name })}
        field="name"
      />
      <ImportanceFields draft={draft} change={change} />
    </>
  );
}
