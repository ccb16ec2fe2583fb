import type { SecretRule } from '../rule.ts';
import { samplePem } from '../sample.ts';

const replace =
  'Create a new key pair, replace the old public key wherever it is trusted, and revoke certificates that were issued for it.';

/**
 * The contents of a PEM block: on separate lines, indented, or in a string with escaped line breaks. At least the size
 * of an Ed25519 key.
 */
const pemBody = '(?:[0-9A-Za-z+/=\\s,.:*-]|\\\\r?\\\\?n|\\\\[nr]|["\'`]\\s*[+,.&]?\\s*["\'`]){60,}?';

type PemSpec = {
  id: string;
  name: string;
  severity: 'critical' | 'high' | 'medium';
  risk: string;
  labels: string[];
  /** The contents of a block after its first line. */
  verify?: (block: string) => boolean;
  encrypted?: boolean;
};

const hasEncryptionHeader = (block: string) => /Proc-Type: ?4,ENCRYPTED|DEK-Info/.test(block);

/** Returns whether most of the block is varied base64: `...` and `<your key>` are not keys. */
function holdsKey(block: string): boolean {
  const body = block
    .replace(/-----[A-Z ]+-----/g, '')
    .replace(/\\[nr]/g, '')
    .replace(/[^0-9A-Za-z+/]/g, '');
  return body.length >= 40 && new Set(body).size >= 20 && !/\.{3}|xxxxx|XXXXX/.test(block);
}

/** Returns examples of a block: as a file, in YAML, in JSON with escaped line breaks, in a string of source code. */
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

const impersonate = 'Anyone who has it can sign in, sign or decrypt as its owner.';

/** Private keys in PEM blocks, in any notation. */
export const pemKeyRules: SecretRule[] = [
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
    risk: 'Anyone who has it can sign in wherever its public key is authorized.',
    labels: ['OPENSSH PRIVATE KEY'],
  }),
  pemRule({
    id: 'pgp-private-key',
    name: 'PGP private key',
    severity: 'high',
    risk: 'Anyone who has it (and its passphrase, if any) can sign and decrypt as its owner.',
    labels: ['PGP PRIVATE KEY BLOCK'],
  }),
  pemRule({
    id: 'encrypted-private-key',
    name: 'Encrypted private key (PKCS #8)',
    severity: 'medium',
    risk: 'Anyone who has it can try passphrases until one fits, and then sign in or decrypt as its owner.',
    labels: ['ENCRYPTED PRIVATE KEY', 'SSH2 ENCRYPTED PRIVATE KEY'],
  }),
  pemRule({
    id: 'encrypted-traditional-private-key',
    name: 'Encrypted private key',
    severity: 'medium',
    risk: 'Anyone who has it can try passphrases until one fits, and then sign in or decrypt as its owner.',
    labels: ['RSA PRIVATE KEY', 'EC PRIVATE KEY', 'DSA PRIVATE KEY'],
    verify: hasEncryptionHeader,
    encrypted: true,
  }),
];
