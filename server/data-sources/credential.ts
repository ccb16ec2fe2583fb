import Type, { type Static } from 'typebox';
import { invalid } from '../platform/errors.ts';
import type { Keyring } from '../platform/sealed.ts';
import type { GitCredential as TransportCredential } from './connectors/git-transport.ts';
import type { GitAddress } from './git-address.ts';

const line = (description: string, maxLength: number) =>
  Type.String({
    description,
    minLength: 1,
    maxLength,
    pattern: '^[^\\x00-\\x1f\\x7f]+$',
    errorMessage: `must be one line of 1 to ${maxLength} characters`,
  });

/** The credential of a private repository. `requireFittingCredential` checks which fields are valid for the URL. */
export const GitCredential = Type.Object(
  {
    username: Type.Optional(
      line('User name, for https with a password. Hosts that accept a token as password often accept any name.', 255),
    ),
    password: Type.Optional(line('Password, for https.', 4_096)),
    token: Type.Optional(line('Access token, for https, instead of a password.', 4_096)),
    private_key: Type.Optional(
      Type.String({
        description: 'Private key in PEM or OpenSSH form, for ssh.',
        minLength: 1,
        maxLength: 32_768,
        pattern: '^\\s*-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\\s\\S]*-----END [A-Z0-9 ]*PRIVATE KEY-----\\s*$',
        errorMessage: 'must be a whole private key, from its BEGIN line to its END line',
      }),
    ),
    passphrase: Type.Optional(line('Passphrase of the private key.', 1_024)),
  },
  {
    $id: 'GitCredential',
    description: 'The credential of a private repository. It is stored encrypted and never returned.',
    writeOnly: true,
  },
);
export type GitCredential = Static<typeof GitCredential>;

const field = 'config.credential';
const forms = {
  https: 'must be {"token"} or {"password"}, with "username" if the host needs one, for an https URL',
  ssh: 'must be {"private_key"}, with "passphrase" if it has one, for ssh',
};

/** Throws a 400 for `config.credential` unless the credential is of the kind that the URL's transport accepts. */
export function requireFittingCredential(credential: GitCredential, scheme: GitAddress['scheme']): void {
  if (scheme !== 'https' && scheme !== 'ssh')
    throw invalid('body', field, `must not be given: a ${scheme}: URL has no credential`);
  const { private_key, passphrase, username, password, token } = credential;
  const isKey = private_key !== undefined && username === undefined && password === undefined && token === undefined;
  const isPassword =
    (password === undefined) !== (token === undefined) && private_key === undefined && passphrase === undefined;
  if (scheme === 'ssh' ? !isKey : !isPassword) throw invalid('body', field, forms[scheme]);
}

/** The context for which the credential of a data source is sealed. */
export const credentialPlace = (orgId: string, dataSourceId: string) => [orgId, dataSourceId, 'credential'];

/** Seals a credential for the data source that it belongs to. */
export function sealCredential(
  keyring: Keyring,
  orgId: string,
  dataSourceId: string,
  credential: GitCredential,
): string {
  return keyring.seal(JSON.stringify(credential), credentialPlace(orgId, dataSourceId));
}

/** Opens the credential of a data source's row, for a connection; null without one. Throws UnsealError. */
export function openCredential(
  keyring: Keyring,
  orgId: string,
  row: { id: string; sealed_credential: string | null },
): TransportCredential | null {
  if (row.sealed_credential === null) return null;
  return JSON.parse(keyring.open(row.sealed_credential, credentialPlace(orgId, row.id))) as TransportCredential;
}
