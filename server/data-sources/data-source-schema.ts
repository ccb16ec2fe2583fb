import Type, { type TSchema } from 'typebox';
import { enumeration, idOf, nullable, oneOfKind, page, time } from '../platform/http/schema.ts';
import { nameSchema } from '../platform/name.ts';
import { GitCredential } from './credential.ts';
import { importanceInput, importanceProperties } from './importance.ts';
import { type DataSourceKind, dataSourceKinds } from './kind.ts';
import { dataSourceStatuses, ScannerStatus } from './scan-status.ts';

const text = (description: string, maxLength = 2_000) => Type.String({ description, minLength: 1, maxLength });

const name = {
  ...nameSchema('The name of the data source. By default it is derived from the address.'),
  $id: 'DataSourceName',
};

const url = text(
  'https, ssh or git URL, or `user@host:path`. `file:` only under directories that the operator allows. No credential in it.',
);
const branch = nullable(text('The branch to scan; null for the default branch of the repository.', 250), {
  description: 'The branch to scan; null for the default branch of the repository.',
});
const Branches = enumeration(['all'] as const, {
  $id: 'SearchedBranches',
  description:
    '`all`: the source `secrets` also searches the other branches and the tags. Without it, only the branch to scan, with its history.',
});
const branches = nullable(Branches);
const website = text('http or https URL, without credentials.');
const address = text('Host name or IP address, without range or port.', 255);
const reference = text('Image reference: `[registry/]name[:tag][@digest]`.');
export const Kind = enumeration(dataSourceKinds, {
  $id: 'DataSourceKind',
  description: 'The kind of the data source; it never changes.',
});

export const DataSourceReference = Type.Object(
  { id: idOf('ds'), name: Type.String({ description: 'Its name.' }), kind: Kind },
  { $id: 'DataSourceReference' },
);

/** Creates the schema for adding a data source of one kind. An upload has nothing to configure. */
function creationOf<Name extends DataSourceKind, Config extends TSchema>(kind: Name, id: string, config: Config) {
  return Type.Object(
    { kind: enumeration([kind] as const), name: Type.Optional(name), config, ...importanceInput },
    { $id: `${id}Creation`, description: `A \`${kind}\`.` },
  );
}

const GitRepositoryConfigCreation = Type.Object(
  {
    url,
    branch: Type.Optional(branch),
    branches: Type.Optional(branches),
    credential: Type.Optional(nullable(GitCredential)),
  },
  { $id: 'GitRepositoryConfigCreation' },
);
const WebsiteConfigCreation = Type.Object({ url: website }, { $id: 'WebsiteConfigCreation' });
const HostConfigCreation = Type.Object({ address }, { $id: 'HostConfigCreation' });
const ContainerImageConfigCreation = Type.Object({ reference }, { $id: 'ContainerImageConfigCreation' });

const UploadConfig = Type.Object(
  {},
  {
    $id: 'UploadConfig',
    description: 'The configuration of an `upload`, which is empty.',
    additionalProperties: false,
  },
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
  { $id: 'DataSourceCreation', description: 'The new data source, by `kind`.' },
);

const DataSourceConfigUpdate = Type.Object(
  {
    url: Type.Optional(text('New URL of a git repository or website.')),
    branch: Type.Optional(branch),
    branches: Type.Optional(branches),
    credential: Type.Optional(
      nullable(GitCredential, { description: 'The new credential; null removes the stored one.' }),
    ),
    address: Type.Optional(address),
    reference: Type.Optional(reference),
  },
  {
    $id: 'DataSourceConfigUpdate',
    minProperties: 1,
    description: 'The changed fields, as the kind has them; others stay as they are.',
  },
);

export const DataSourceUpdate = Type.Object(
  { name: Type.Optional(name), config: Type.Optional(DataSourceConfigUpdate), ...importanceInput },
  { $id: 'DataSourceUpdate', minProperties: 1 },
);

const Config = Type.Union(
  [
    Type.Object(
      {
        url: Type.String({ description: 'The URL from which git fetches the repository.' }),
        branch: nullable(Type.String(), { description: 'The branch to scan; null for the default branch.' }),
        branches: Type.Optional(Branches),
      },
      { $id: 'GitRepositoryConfig', description: 'The configuration of a `git_repository`.' },
    ),
    Type.Object(
      { url: Type.String({ description: 'The URL of the website, in normal form.' }) },
      { $id: 'WebsiteConfig', description: 'The configuration of a `website`.' },
    ),
    Type.Object(
      { address: Type.String({ description: 'The name or IP address of the host, in normal form.' }) },
      { $id: 'HostConfig', description: 'The configuration of a `host`.' },
    ),
    Type.Object(
      { reference: Type.String({ description: 'The image reference, as it was given.' }) },
      { $id: 'ContainerImageConfig', description: 'The configuration of a `container_image`.' },
    ),
    UploadConfig,
  ],
  { description: 'The configuration, by kind. Credentials are never returned.' },
);

export const DataSourceStatus = enumeration(dataSourceStatuses, {
  $id: 'DataSourceStatus',
  description:
    'The worst status of its scanners: `failed`, `partial`, `stale`, then `never_scanned`, which has none, and `ok`.',
});

export const DataSource = Type.Object(
  {
    id: idOf('ds'),
    kind: Kind,
    name: Type.String({ description: 'The name of the data source.' }),
    config: Config,
    has_credential: Type.Boolean({ description: 'Whether a credential is stored for the data source.' }),
    ...importanceProperties,
    status: DataSourceStatus,
    status_message: nullable(Type.String(), {
      description: 'The reason of the worst scanner; null when the status is `ok`.',
    }),
    scanners: Type.Array(ScannerStatus, {
      description: 'The scanners that scanned it, the worst first. An extension.',
    }),
    open_findings: Type.Integer({
      minimum: 0,
      description: 'The number of its findings that are `new`, `triaged` or `in_progress`.',
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
  tags: ['payments'],
  owner: { id: 'usr_01jd3x7m4h8e2c9r5t6w7q3z1a', name: 'Sam Doe', email: 'sam@example.com' },
  criticality: 'high',
  exposure: 'public',
  status: 'ok',
  status_message: null,
  scanners: [
    {
      source: 'secrets',
      status: 'ok',
      at: '2026-02-01T02:00:07Z',
      reason: null,
      revision: '9fceb02d0ae598e95dc970b74767f19372d61af8',
      is_behind: false,
    },
  ],
  open_findings: 12,
  last_scanned_at: '2026-02-01T02:00:07Z',
  created_at: '2026-01-31T09:30:00Z',
} as const;
