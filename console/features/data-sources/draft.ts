import type {
  Criticality,
  DataSource,
  DataSourceCreation,
  DataSourceKind,
  DataSourceUpdate,
  Exposure,
} from '@assay/client';
import { addressOf } from './words.ts';

export type CredentialKind = 'none' | 'token' | 'password' | 'key' | 'stored';

/** The current content of the form. */
export type Draft = {
  kind: DataSourceKind;
  name: string;
  address: string;
  branch: string;
  /** Whether the search for secrets includes the other branches and the tags. */
  allBranches: boolean;
  credential: CredentialKind;
  username: string;
  secret: string;
  passphrase: string;
  criticality: Criticality;
  exposure: Exposure;
  /** The id of a member; empty for no owner. */
  owner: string;
  /** Comma-separated tags, as typed. */
  tags: string;
};

export const emptyDraft = (kind: DataSourceKind): Draft => ({
  kind,
  name: '',
  address: '',
  branch: '',
  allBranches: false,
  credential: 'none',
  username: '',
  secret: '',
  passphrase: '',
  criticality: 'medium',
  exposure: 'internal',
  owner: '',
  tags: '',
});

export const draftOf = (source: DataSource): Draft => ({
  ...emptyDraft(source.kind),
  name: source.name,
  address: addressOf(source) ?? '',
  branch: ('branch' in source.config ? source.config.branch : null) ?? '',
  allBranches: 'branches' in source.config && source.config.branches === 'all',
  credential: source.has_credential ? 'stored' : 'none',
  criticality: source.criticality,
  exposure: source.exposure,
  owner: source.owner?.id ?? '',
  tags: source.tags.join(', '),
});

function credentialOf({ credential, username, secret, passphrase }: Draft) {
  if (credential === 'token') return { token: secret };
  if (credential === 'password') return { username, password: secret };
  if (credential === 'key') return { private_key: secret, ...(passphrase !== '' && { passphrase }) };
  return null;
}

const addressField = { git_repository: 'url', website: 'url', host: 'address', container_image: 'reference' } as const;

function configOf(draft: Draft): object {
  if (draft.kind === 'upload') return {};
  const address = { [addressField[draft.kind]]: draft.address.trim() };
  if (draft.kind !== 'git_repository') return address;
  const branch = draft.branch.trim() === '' ? null : draft.branch.trim();
  const branches = draft.allBranches ? 'all' : null;
  return { ...address, branch, branches, ...(draft.credential !== 'stored' && { credential: credentialOf(draft) }) };
}

const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];

const importanceOf = ({ criticality, exposure, owner, tags }: Draft) => ({
  criticality,
  exposure,
  owner: owner === '' ? null : owner,
  tags: tagsOf(tags),
});

const nameOf = ({ name }: Draft) => (name.trim() === '' ? {} : { name: name.trim() });

export const creationOf = (draft: Draft): DataSourceCreation =>
  ({ kind: draft.kind, ...nameOf(draft), ...importanceOf(draft), config: configOf(draft) }) as DataSourceCreation;

export const updateOf = (draft: Draft): DataSourceUpdate =>
  draft.kind === 'upload'
    ? { ...nameOf(draft), ...importanceOf(draft) }
    : { ...nameOf(draft), ...importanceOf(draft), config: configOf(draft) };

/** Returns the reason why the form can't be sent yet; null if it can. */
export function missingOf(draft: Draft): string | null {
  if (draft.kind === 'upload') return draft.name.trim() === '' ? 'Enter a name.' : null;
  if (draft.address.trim() === '') return 'Fill in the address.';
  if (['token', 'password', 'key'].includes(draft.credential) && draft.secret === '') return 'Fill in the credential.';
  return null;
}
