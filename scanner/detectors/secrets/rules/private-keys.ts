import { decodesToBytes } from '../checksums.ts';
import type { SecretRule } from '../rule.ts';
import { sample, sampleBase64, samplePem } from '../sample.ts';
import { afterBase64, base64LineBreak } from '../wrapped-base64.ts';
import { tokenRule, vendorRule } from './provider-rule.ts';

const replace =
  'Create a new key pair, replace the old public key wherever it is trusted, and revoke certificates that were issued for it.';

/** Private keys in other formats. */
export const privateKeyRules: SecretRule[] = [
  tokenRule({
    id: 'age-secret-key',
    name: 'age secret key',
    severity: 'critical',
    can: 'decrypt every file that was encrypted for it',
    revoke: 'every file encrypted for it (encrypt again for a new key)',
    shapes: 'AGE-SECRET-KEY-1{upper:58}',
  }),
  tokenRule({
    id: 'age-plugin-key',
    name: 'age post-quantum secret key',
    severity: 'critical',
    can: 'decrypt every file that was encrypted for it',
    revoke: 'every file encrypted for it (encrypt again for a new key)',
    shapes: 'AGE-SECRET-KEY-PQ-1{upper:58}',
  }),
  {
    id: 'putty-private-key',
    name: 'PuTTY private key',
    severity: 'critical',
    risk: 'Anyone who has it (and its passphrase, if any) can sign in wherever its public key is authorized.',
    remediation: replace,
    keywords: ['private-lines: '],
    pattern:
      'Private-Lines: \\d{1,3}\\r?\\n(?<secret>[0-9A-Za-z+/=\\r\\n]{40,}?)\\r?\\nPrivate-(?:MAC|Hash): [0-9a-f]{40,64}',
    minEntropy: 4,
    get matches() {
      return [putty('none'), putty('none').replaceAll('\n', '\r\n')];
    },
    get misses() {
      return [
        'PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 2\n',
        'PuTTY-User-Key-File-2: see the manual\n',
      ];
    },
  },
  {
    ...vendorRule({
      id: 'wireguard-private-key',
      name: 'WireGuard private key',
      severity: 'critical',
      can: 'join the private network as that machine',
      revoke: 'the peers’ configurations (create a new key pair)',
      vendor: ['privatekey', 'private_key', 'presharedkey', 'wireguard', 'wg_'],
      shapes: '{b64:43}=',
      minEntropy: 4,
    }),
    keywords: ['privatekey', 'private_key', 'private-key', 'presharedkey', 'wg_private'],
    pattern:
      '(?i:privatekey|private_key|private-key|presharedkey|wg_private)[a-z_]{0,8}["\']?[ \\t]{0,8}(?:=>|:=|=|:)[ \\t]{0,8}["\']?(?<secret>[0-9A-Za-z+/]{42}[AEIMQUYcgkosw048]=)(?:[^0-9A-Za-z+/=]|$)',
    verify: decodesToBytes(32),
    get matches() {
      const key = sampleBase64(32, 'wireguard');
      return [`[Interface]\nAddress = 10.0.0.2/32\nPrivateKey = ${key}\n`, `wg_private_key: "${key}"\n`];
    },
    get misses() {
      return [
        'PrivateKey = <your private key>\n',
        `PublicKey = ${sampleBase64(32)}\n`,
        `PrivateKey = ${sampleBase64(24)}\n`,
      ];
    },
  },
  {
    ...tokenRule({
      id: 'jwk-private-key',
      name: 'Private JSON web key',
      severity: 'critical',
      can: 'sign tokens or decrypt as the service',
      revoke: 'the service’s key set (rotate the key)',
      keywords: ['"kty"'],
      shapes: '{url:43}',
    }),
    pattern:
      '"kty"\\s{0,5}:\\s{0,5}"(?:RSA|EC|OKP)"[^{}]{0,1000}?"d"\\s{0,5}:\\s{0,5}"(?<secret>[0-9A-Za-z_-]{43,1000})"',
    anchored: false,
    minEntropy: 4,
    accept: () => true,
    get matches() {
      const key = {
        kty: 'EC',
        crv: 'P-256',
        x: sample('0-9A-Za-z_-', 43, 'x'),
        y: sample('0-9A-Za-z_-', 43, 'y'),
        d: sample('0-9A-Za-z_-', 43, 'd'),
      };
      return [JSON.stringify(key), JSON.stringify({ keys: [key] }, null, 2)];
    },
    get misses() {
      return [`{"kty":"EC","crv":"P-256","x":"${sample('0-9A-Za-z_-', 43)}"}`, '{"kty":"EC","crv":"P-256","d":"..."}'];
    },
  },
  {
    ...tokenRule({
      id: 'private-key-base64',
      name: 'Private key in base64',
      severity: 'critical',
      can: 'sign in, sign or decrypt as its owner',
      revoke: 'wherever its public key is trusted',
      keywords: ['ls0tls1crudjti'],
      shapes: 'LS0tLS1CRUdJTi{b64:200-1000}',
    }),
    // In one line, or wrapped by `base64`, in a block of YAML or in strings that the code joins.
    pattern: `(?:(?<secret>LS0tLS1CRUdJTi[0-9A-Za-z+/]{40,110}(?:${base64LineBreak}[0-9A-Za-z+/]{54,120}){2,}(?:${base64LineBreak}[0-9A-Za-z+/]{1,119})?={0,2})${afterBase64}|(?<secret2>LS0tLS1CRUdJTi[0-9A-Za-z+/]{200,}={0,2}))`,
    anchored: false,
    verify: (secret) =>
      /^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/.test(
        Buffer.from(secret.slice(0, 54), 'base64').toString('latin1'),
      ),
    accept: () => true,
    get matches() {
      const encoded = Buffer.from(samplePem('RSA PRIVATE KEY')).toString('base64');
      const lines = encoded.match(/.{1,76}/g)!;
      return [
        `client-key-data: ${encoded}\n`,
        `SSH_KEY="${encoded}"\n`,
        `${lines.join('\n')}\n`,
        `tls.key: |\n    ${lines.join('\r\n    ')}\n`,
        `KEY = (\n    "${lines.join('"\n    "')}"\n)\n`,
        `const key = '${lines.join("' +\n  '")}';\n`,
      ];
    },
    get misses() {
      return [
        `certificate-authority-data: ${Buffer.from(samplePem('CERTIFICATE')).toString('base64')}\n`,
        'key: LS0tLS1CRUdJTi\n',
      ];
    },
  },
];

function putty(encryption: string): string {
  const lines = (seed: string) => (sampleBase64(200, seed).match(/.{1,64}/g) ?? []).join('\n');
  const head = `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: ${encryption}\nComment: deploy\nPublic-Lines: 5\n${lines('public')}\n`;
  return `${head}Private-Lines: 5\n${lines('private')}\nPrivate-MAC: ${sample('0-9a-f', 64)}\n`;
}
