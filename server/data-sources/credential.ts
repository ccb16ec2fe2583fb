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

/** What opens a private repository. Which fields go together is checked with the URL: see `requireFittingCredential`. */
export const GitCredential = Type.Object(
  {
    username: Type.Optional(
      line('User name, for https with a password. Hosts that take a token as password often take any.', 255),
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
    description: 'Opens a private repository. Kept sealed and never returned.',
    writeOnly: true,
  },
);
export type GitCredential = Static<typeof GitCredential>;

const field = 'config.credential';
const forms = {
  https: 'must be {"token"} or {"password"}, with "username" if the host wants one, for an https URL',
  ssh: 'must be {"private_key"}, with "passphrase" if it has one, for ssh',
};

/** Throws a 400 of `config.credential` unless the credential is of the one kind that the URL's transport takes. */
export function requireFittingCredential(credential: GitCredential, scheme: GitAddress['scheme']): void {
  if (scheme !== 'https' && scheme !== 'ssh')
    throw invalid('body', field, `must not be given: a ${scheme}: URL takes none`);
  const { private_key, passphrase, username, password, token } = credential;
  const isKey = private_key !== undefined && username === undefined && password === undefined && token === undefined;
  const isPassword =
    (password === undefined) !== (token === undefined) && private_key === undefined && passphrase === undefined;
  if (scheme === 'ssh' ? !isKey : !isPassword) throw invalid('body', field, forms[scheme]);
}

const place = (orgId: string, dataSourceId: string) => [orgId, dataSourceId, 'credential'];

/** Seals a credential to the one data source that it is for. */
export function sealCredential(
  keyring: Keyring,
  orgId: string,
  dataSourceId: string,
  credential: GitCredential,
): string {
  return keyring.seal(JSON.stringify(credential), place(orgId, dataSourceId));
}

/** The credential of a data source's row, for the connection about to be made; null without one. Throws UnsealError. */
export function openCredential(
  keyring: Keyring,
  orgId: string,
  row: { id: string; sealed_credential: string | null },
): TransportCredential | null {
  if (row.sealed_credential === null) return null;
  return JSON.parse(keyring.open(row.sealed_credential, place(orgId, row.id))) as TransportCredential;
}
