import { decodesToBytes } from '../checksums.ts';
import type { SecretRule } from '../rule.ts';
import { sample, sampleBase64, samplePem } from '../sample.ts';
import { tokenRule, vendorRule } from './provider-rule.ts';

const replace =
  'Make a new key pair, put its public half wherever the old one is trusted and remove the old one there; revoke certificates that were issued for it.';

/** Contents of a PEM block: on lines of their own, indented, or in one string with escaped line ends. At least the size of an Ed25519 key. */
const pemBody = '(?:[0-9A-Za-z+/=\\s,.:*-]|\\\\r?\\\\?n|\\\\[nr]|["\'`]\\s*[+,.&]?\\s*["\'`]){60,}?';

type PemSpec = {
  id: string;
  name: string;
  severity: 'critical' | 'high' | 'medium';
  risk: string;
  labels: string[];
  /** What a block must hold, after its first line. */
  verify?: (block: string) => boolean;
  encrypted?: boolean;
};

const hasEncryptionHeader = (block: string) => /Proc-Type: ?4,ENCRYPTED|DEK-Info/.test(block);

/** Whether most of the block is base64 that varies: `...` and `<your key>` are not keys. */
function holdsKey(block: string): boolean {
  const body = block
    .replace(/-----[A-Z ]+-----/g, '')
    .replace(/\\[nr]/g, '')
    .replace(/[^0-9A-Za-z+/]/g, '');
  return body.length >= 40 && new Set(body).size >= 20 && !/\.{3}|xxxxx|XXXXX/.test(block);
}

/** Examples of a block: as a file, in YAML, in JSON with escaped line ends, in a string of source code. */
function pemMatches(block: string): string[] {
  const escaped = block.replaceAll('\n', '\\n');
  return [
    `${block}\n`,
    `data:\n  key: |\n${block.replace(/^/gm, '    ')}\n  other: 1\n`,
    `{"key": "${escaped}\\n", "id": 7}\n`,
    `PRIVATE_KEY="${escaped}"\n`,
    block.replaceAll('\n', '\r\n'),
    `const key =\n${block
      .split('\n')
      .map((line) => `  '${line}\\n'`)
      .join(' +\n')};\n`,
  ];
}

function pemRule({ labels, verify, encrypted, ...rest }: PemSpec): SecretRule {
  const [label = ''] = labels;
  const insert = encrypted ? 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF\n\n' : '';
  const block = () => samplePem(label).replace('-----\n', `-----\n${insert}`);
  const begin = labels.map((each) => `-----BEGIN ${each}-----`);
  return {
    ...rest,
    remediation: replace,
    keywords: begin.map((each) => each.toLowerCase()),
    pattern: `(?<secret>-----BEGIN (?:${labels.join('|')})-----${pemBody}-----END (?:${labels.join('|')})-----)`,
    verify: (secret) => holdsKey(secret) && (verify?.(secret) ?? true),
    get matches() {
      return pemMatches(block());
    },
    get misses() {
      return [
        `${begin[0]}\n...\n-----END ${label}-----\n`,
        `if key.startswith("${begin[0]}"): load(key)\n`,
        `${begin[0]}\n${`${'x'.repeat(64)}\n`.repeat(8)}-----END ${label}-----\n`,
        samplePem(label).replaceAll('PRIVATE', 'PUBLIC'),
      ];
    },
  };
}

const impersonate = 'Whoever holds it can sign in, sign or decrypt as its owner.';

export const privateKeyRules: SecretRule[] = [
  pemRule({
    id: 'private-key',
    name: 'Private key',
    severity: 'critical',
    risk: impersonate,
    labels: [
      'PRIVATE KEY',
      'RSA PRIVATE KEY',
      'EC PRIVATE KEY',
      'DSA PRIVATE KEY',
      'ECDSA PRIVATE KEY',
      'ANY PRIVATE KEY',
      'SSH2 PRIVATE KEY',
    ],
    verify: (block) => !hasEncryptionHeader(block),
  }),
  pemRule({
    id: 'ssh-private-key',
    name: 'OpenSSH private key',
    severity: 'critical',
    risk: 'Whoever holds it can sign in wherever its public half is authorized.',
    labels: ['OPENSSH PRIVATE KEY'],
  }),
  pemRule({
    id: 'pgp-private-key',
    name: 'PGP private key',
    severity: 'high',
    risk: 'Whoever holds it (and its passphrase, if any) can sign and decrypt as its owner.',
    labels: ['PGP PRIVATE KEY BLOCK'],
  }),
  pemRule({
    id: 'encrypted-private-key',
    name: 'Encrypted private key (PKCS #8)',
    severity: 'medium',
    risk: 'Whoever holds it can try passphrases until one fits, and then sign in or decrypt as its owner.',
    labels: ['ENCRYPTED PRIVATE KEY', 'SSH2 ENCRYPTED PRIVATE KEY'],
  }),
  pemRule({
    id: 'encrypted-traditional-private-key',
    name: 'Encrypted private key',
    severity: 'medium',
    risk: 'Whoever holds it can try passphrases until one fits, and then sign in or decrypt as its owner.',
    labels: ['RSA PRIVATE KEY', 'EC PRIVATE KEY', 'DSA PRIVATE KEY'],
    verify: hasEncryptionHeader,
    encrypted: true,
  }),
  tokenRule({
    id: 'age-secret-key',
    name: 'age secret key',
    severity: 'critical',
    can: 'decrypt every file that was encrypted to it',
    revoke: 'every file encrypted to it (encrypt again to a new key)',
    shapes: 'AGE-SECRET-KEY-1{upper:58}',
  }),
  tokenRule({
    id: 'age-plugin-key',
    name: 'age post-quantum secret key',
    severity: 'critical',
    can: 'decrypt every file that was encrypted to it',
    revoke: 'every file encrypted to it (encrypt again to a new key)',
    shapes: 'AGE-SECRET-KEY-PQ-1{upper:58}',
  }),
  {
    id: 'putty-private-key',
    name: 'PuTTY private key',
    severity: 'critical',
    risk: 'Whoever holds it (and its passphrase, if any) can sign in wherever its public half is authorized.',
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
      revoke: 'the peers’ configurations (make a new key pair)',
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
      revoke: 'wherever its public half is trusted',
      keywords: ['ls0tls1crudjti'],
      shapes: 'LS0tLS1CRUdJTi{b64:200-1000}',
    }),
    pattern: '(?<secret>LS0tLS1CRUdJTi[0-9A-Za-z+/]{200,}={0,2})',
    anchored: false,
    verify: (secret) =>
      /^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/.test(
        Buffer.from(secret.slice(0, 80), 'base64').toString('latin1'),
      ),
    accept: () => true,
    get matches() {
      const encoded = Buffer.from(samplePem('RSA PRIVATE KEY')).toString('base64');
      return [`client-key-data: ${encoded}\n`, `SSH_KEY="${encoded}"\n`];
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
