import Type, { type TSchema } from 'typebox';
import { enumeration, idOf, nullable, oneOfKind, page, time } from '../platform/http/schema.ts';
import { nameSchema } from '../platform/name.ts';
import { GitCredential } from './credential.ts';
import { type DataSourceKind, dataSourceKinds } from './kind.ts';

const text = (description: string, maxLength = 2_000) => Type.String({ description, minLength: 1, maxLength });

const name = nameSchema('What people call it. Without one, it is taken from the address.');

const url = text(
  'https, ssh or git URL, or `user@host:path`. `file:` only under directories that the operator allows. No credential in it.',
);
const branch = nullable(text('The branch to scan; null for the default branch of the repository.', 250), {
  description: 'The branch to scan; null for the default branch of the repository.',
});
const website = text('http or https URL, without credentials.');
const address = text('Host name or IP address; no range, no port.', 255);
const reference = text('Image reference: `[registry/]name[:tag][@digest]`.');
export const Kind = enumeration(dataSourceKinds, {
  $id: 'DataSourceKind',
  description: 'What it is; it never changes.',
});

/** What creates a data source of one kind; an upload has nothing to configure. */
function creationOf<Name extends DataSourceKind, Config extends TSchema>(kind: Name, id: string, config: Config) {
  return Type.Object(
    { kind: enumeration([kind] as const), name: Type.Optional(name), config },
    { $id: `${id}Creation`, description: `A \`${kind}\`.` },
  );
}

const GitRepositoryConfigCreation = Type.Object(
  { url, branch: Type.Optional(branch), credential: Type.Optional(nullable(GitCredential)) },
  { $id: 'GitRepositoryConfigCreation' },
);
const WebsiteConfigCreation = Type.Object({ url: website }, { $id: 'WebsiteConfigCreation' });
const HostConfigCreation = Type.Object({ address }, { $id: 'HostConfigCreation' });
const ContainerImageConfigCreation = Type.Object({ reference }, { $id: 'ContainerImageConfigCreation' });

const UploadConfig = Type.Object(
  {},
  { $id: 'UploadConfig', description: 'Of an `upload`: nothing.', additionalProperties: false },
);

export const DataSourceCreation = oneOfKind(
  'kind',
  [
    creationOf('git_repository', 'GitRepository', GitRepositoryConfigCreation),
    creationOf('website', 'Website', WebsiteConfigCreation),
    creationOf('host', 'Host', HostConfigCreation),
    creationOf('container_image', 'ContainerImage', ContainerImageConfigCreation),
    creationOf('upload', 'Upload', Type.Optional(UploadConfig)),
  ],
  { $id: 'DataSourceCreation', description: 'What is added, by `kind`.' },
);

const DataSourceConfigUpdate = Type.Object(
  {
    url: Type.Optional(text('New URL of a git repository or website.')),
    branch: Type.Optional(branch),
    credential: Type.Optional(
      nullable(GitCredential, { description: 'The new credential; null removes the present one.' }),
    ),
    address: Type.Optional(address),
    reference: Type.Optional(reference),
  },
  {
    $id: 'DataSourceConfigUpdate',
    minProperties: 1,
    description: 'The fields of its kind that change; the others stay.',
  },
);

export const DataSourceUpdate = Type.Object(
  { name: Type.Optional(name), config: Type.Optional(DataSourceConfigUpdate) },
  { $id: 'DataSourceUpdate', minProperties: 1 },
);

const Config = Type.Union(
  [
    Type.Object(
      {
        url: Type.String({ description: 'Where git fetches it from.' }),
        branch: nullable(Type.String(), { description: 'The branch that is scanned; null for the default one.' }),
      },
      { $id: 'GitRepositoryConfig', description: 'Of a `git_repository`.' },
    ),
    Type.Object(
      { url: Type.String({ description: 'Its URL in normal form.' }) },
      { $id: 'WebsiteConfig', description: 'Of a `website`.' },
    ),
    Type.Object(
      { address: Type.String({ description: 'Its name or IP address in normal form.' }) },
      { $id: 'HostConfig', description: 'Of a `host`.' },
    ),
    Type.Object(
      { reference: Type.String({ description: 'The reference as it was given.' }) },
      { $id: 'ContainerImageConfig', description: 'Of a `container_image`.' },
    ),
    UploadConfig,
  ],
  { description: 'Where it is, by kind. A credential is never returned.' },
);

export const DataSource = Type.Object(
  {
    id: idOf('ds'),
    kind: Kind,
    name: Type.String({ description: 'What people call it.' }),
    config: Config,
    has_credential: Type.Boolean({ description: 'Whether a credential is kept for it.' }),
    status: enumeration(['never_scanned', 'ok', 'error'] as const, {
      $id: 'DataSourceStatus',
      description: 'How its last scan went.',
    }),
    status_message: nullable(Type.String(), { description: 'What went wrong, when the status is `error`.' }),
    open_findings: Type.Integer({
      minimum: 0,
      description: 'Findings of it that are `new`, `triaged` or `in_progress`.',
    }),
    last_scanned_at: nullable(time('When its last scan ended.')),
    created_at: time('When it was added.'),
  },
  { $id: 'DataSource' },
);

export const DataSourcePage = page(DataSource, 'DataSource');

export const dataSourceExample = {
  id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5j',
  kind: 'git_repository',
  name: 'payments-api',
  config: { url: 'https://github.com/example/payments-api.git', branch: 'main' },
  has_credential: true,
  status: 'ok',
  status_message: null,
  open_findings: 12,
  last_scanned_at: '2026-02-01T02:00:07Z',
  created_at: '2026-01-31T09:30:00Z',
} as const;
