import { looksRandom } from '../credential-value.ts';
import { entropy } from '../entropy.ts';
import { isLeftOut, isPlaceholder } from '../placeholders.ts';
import type { SecretRule } from '../rule.ts';
import { genericRule, samplePassword, sampleToken } from './generic-rule.ts';
import { isBasicCredential } from './headers-and-commands.ts';

const hex = (length: number): string => '7c1e9a05d4b8f362'.repeat(8).slice(0, length);
const notPlaceholder = (secret: string): boolean => !isPlaceholder(secret);
const hashText = ['$2y$10$', 'Q1w2E3r4T5y6U7i8O9p0Aa', 'Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0P'].join('');

/** Formats of well-known files that don't label a password. */
export const namedFileRules: SecretRule[] = [
  genericRule({
    id: 'pgpass-password',
    name: 'Password in .pgpass',
    path: /(?:^|\/)[\w.-]*pgpass(?:\.conf)?(?:\.[\w-]+)?$/i,
    keywords: [],
    pattern:
      '^[^:\\s#][^:\\n]{0,200}:(?:\\d{1,5}|\\*):[^:\\n]{1,100}:[^:\\n]{1,100}:(?P<secret>[^\\r\\n]{3,200}?)[ \\t]*\\r?$',
    // The file contains nothing else, so even a dictionary word is a password.
    verify: (secret) => !isLeftOut(secret),
    matches: [
      { path: '.pgpass', text: `db.internal:5432:app:admin:${samplePassword}\n` },
      { path: '.pgpass', text: 'db:5432:app:app:password' },
    ],
    misses: [
      { path: '.pgpass', text: '# hostname:port:database:username:password\n' },
      { path: 'notes.txt', text: `a:1:b:c:${samplePassword}` },
    ],
  }),
  genericRule({
    id: 'password-hash',
    name: 'Password hash',
    severity: 'medium',
    risk: 'Anyone who reads it can try passwords against it unnoticed, and sign in with a match.',
    remediation:
      'Change the password, remove the hash from the repository and keep the file on the machine that needs it.',
    keywords: [
      '$apr1$',
      '$2y$',
      '$2a$',
      '$2b$',
      '$6$',
      '$5$',
      '$1$',
      '$y$',
      '{sha}',
      '{ssha}',
      '$argon2',
      '$p$b',
      '$s$d',
      'pbkdf2_sha256$',
      '{pbkdf2',
      '$sha1$',
    ].filter((word) => word.length >= 3),
    pattern:
      '(?:\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}|\\$(?:apr1|1)\\$[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{22}|\\$[56]\\$(?:rounds=\\d{1,7}\\$)?[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{43,86}|\\$y\\$[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{1,60}\\$[./A-Za-z0-9]{43}|\\{S?SHA\\}[A-Za-z0-9+/]{27,48}={0,2}|\\$argon2(?:id|i|d)\\$v=\\d{1,3}\\$[a-z0-9=,]{5,40}\\$[A-Za-z0-9+/]{11,64}\\$[A-Za-z0-9+/]{16,128}|\\$P\\$B[./A-Za-z0-9]{30}|\\$S\\$D[./A-Za-z0-9]{51}|pbkdf2_sha256\\$\\d{3,8}\\$[A-Za-z0-9]{8,32}\\$[A-Za-z0-9+/]{43}=)',
    accept: ({ secret, path }) =>
      entropy(secret) > 3.5 &&
      !/(?:^|\/)(?:tests?|spec|docs?|examples?|man)\/|\.(?:md|rst|html?|[1-8]|[chm]|go|rs|js|ts|java|rb|py|php|pm|pl|t|texi|info)$/i.test(
        path,
      ),
    matches: [
      { path: '.htpasswd', text: `admin:${hashText}` },
      { path: 'etc/shadow', text: `root:${'$6$'}${hex(8)}$${hex(86)}:19000:0:99999:7:::` },
    ],
    misses: [
      { path: '.htpasswd', text: 'admin:$apr1$' },
      { path: 'src/hash.test.ts', text: `verify("${hashText}")` },
    ],
  }),
  genericRule({
    id: 'htpasswd-crypt-hash',
    name: 'Password hash',
    severity: 'medium',
    path: /(?:^|\/)[\w.-]*(?:htpasswd|passwd|shadow|htusers|htdigest)[\w.-]*$/i,
    keywords: [],
    pattern:
      '^[\\w.@-]{1,64}:(?:[^:\\n]{1,60}:)?(?P<secret>[./0-9A-Za-z]{13}|[0-9a-fA-F]{32})(?::[^\\n]*|[ \\t]*)\\r?$',
    verify: (secret) => characterKinds(secret) >= 2 && notPlaceholder(secret),
    matches: [
      { path: '.htpasswd', text: 'admin:rq' + '7Kx2PbVw9Lc' },
      { path: 'htdigest', text: `admin:Realm:${hex(32)}` },
    ],
    misses: [
      { path: 'etc/passwd', text: 'daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin' },
      { path: '.htpasswd', text: '# admin' },
    ],
  }),
  genericRule({
    id: 'rails-master-key',
    name: 'Rails master key',
    severity: 'critical',
    path: /(?:^|\/)(?:master|credentials\/[\w-]+|secrets\.yml|[\w-]+)\.key$/,
    keywords: [],
    pattern: '^(?P<secret>[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{128})\\s*$',
    risk: 'Anyone who reads it can decrypt all credentials of the Rails application, and sign its sessions.',
    remediation:
      'Rotate everything in the encrypted credentials, then create a new key with `bin/rails credentials:edit`.',
    verify: notPlaceholder,
    matches: [
      { path: 'config/master.key', text: `${hex(32)}\n` },
      { path: 'config/credentials/production.key', text: hex(32) },
    ],
    misses: [
      { path: 'config/master.key', text: `${'0'.repeat(32)}\n` },
      { path: 'config/master.txt', text: hex(32) },
    ],
  }),
  genericRule({
    id: 'secret-file-line',
    name: 'Secret in a secrets file',
    path: /(?:^|\/)(?:[\w-]*[_-])?\.?(?:passwords?|passwd|secrets?|tokens?|api[-_]?keys?|credentials?|vault[-_]?pass(?:word)?|vault[-_]?token|access[-_]?token)(?:\.(?:txt|token|secret|key))?$/i,
    keywords: [],
    pattern: '^[ \\t]{0,8}(?P<secret>[^\\s:=<>{}()\\[\\]"\'#,;]{8,400})[ \\t]*\\r?$',
    verify: (secret) => looksRandom(secret) && notPlaceholder(secret),
    matches: [
      { path: '.vault_pass', text: sampleToken },
      { path: 'secrets/api_key.txt', text: `${sampleToken}\n` },
    ],
    misses: [
      { path: 'passwords.txt', text: 'letters\nword-list\n' },
      { path: 'README', text: sampleToken },
    ],
  }),
  genericRule({
    id: 'user-password-file-line',
    name: 'Password in a password file',
    path: /(?:^|\/)(?:rsyncd?\.secrets|(?:chap|pap)-secrets|(?:[\w-]*[_-])?(?:passwords?|logins?|credentials?|creds|accounts|users-pass)(?:\.(?:txt|lst|list))?)$/i,
    keywords: [],
    pattern:
      '^[ \\t]{0,8}(?:[\\w.@+-]{2,80}:|"?[\\w.@\\\\*-]{1,80}"?[ \\t]{1,8}(?:[\\w.*-]{1,60}[ \\t]{1,8}|:[ \\t]{0,4}))"?(?P<secret>[^\\s"/:][^\\s":]{3,100})"?(?:[ \\t]{1,8}[*\\d.]{1,20})?[ \\t]*\\r?$',
    verify: (secret) => notPlaceholder(secret) && (/\d/.test(secret) || /[^\w.-]/.test(secret)),
    matches: [
      { path: 'etc/rsyncd.secrets', text: `backup:${samplePassword}` },
      { path: 'etc/ppp/chap-secrets', text: `someone * ${samplePassword} *` },
    ],
    misses: [
      { path: 'etc/rsyncd.secrets', text: 'backup:password' },
      { path: 'etc/ppp/chap-secrets', text: '# client server secret addresses' },
    ],
  }),
  genericRule({
    id: 'vpn-user-password-file',
    name: 'VPN user password',
    path: /(?:^|\/)(?:(?:open)?vpn[\w.-]*(?:auth|pass|login|cred)[\w.-]*|auth-user-pass[\w.-]*|(?:auth|login|pass)\.(?:txt|conf))$/i,
    keywords: [],
    pattern: '^[\\w.@+-]{2,100}\\r?\\n(?P<secret>[^\\s=:<>]{5,100})\\s{0,8}$',
    verify: notPlaceholder,
    matches: [{ path: 'openvpn/auth.txt', text: `someone\n${samplePassword}\n` }],
    misses: [{ path: 'openvpn/auth.txt', text: 'someone\nchangeme\n' }],
  }),
  genericRule({
    id: 'inline-vpn-user-password',
    name: 'VPN user password',
    keywords: ['<auth-user-pass>'],
    pattern: '<auth-user-pass>\\s{1,8}[^\\s<]{1,100}\\s{1,8}(?P<secret>[^\\s<]{3,100})\\s{1,8}</auth-user-pass>',
    anchored: true,
    verify: notPlaceholder,
    matches: [`<auth-user-pass>\nsomeone\n${samplePassword}\n</auth-user-pass>`],
    misses: ['<auth-user-pass>\nuser\npassword\n</auth-user-pass>'],
  }),
  genericRule({
    id: 'docker-registry-auth',
    name: 'Docker registry credentials',
    keywords: ['auth"', '_auth'],
    pattern:
      '(?:auth"[ \\t\\r\\n]{0,8}:[ \\t\\r\\n]{0,8}"|_auth[ \\t]{0,8}=[ \\t]{0,8}"?)(?P<secret>[A-Za-z0-9+/]{8,2000}={0,2})',
    anchored: true,
    risk: 'Anyone who reads it can pull and push packages as that account.',
    remediation: 'Change the password or revoke the access token at the registry; keep the file out of the repository.',
    verify: isBasicCredential,
    matches: [
      {
        path: '.docker/config.json',
        text: `{"auths":{"r.internal":{"auth":"${Buffer.from(`ci:${samplePassword}`).toString('base64')}"}}}`,
      },
      `_auth=${Buffer.from(`ci:${samplePassword}`).toString('base64')}`,
    ],
    misses: [`"auth": "${Buffer.from('user:password').toString('base64')}"`, '"auth": "none"'],
  }),
  genericRule({
    id: 'yarn-registry-identity',
    name: 'Package registry credentials',
    keywords: ['npmauthident'],
    pattern: 'npmauthident["\']?:[ \\t]{1,4}["\']?(?P<secret>[^\\s"\']{6,400})',
    flags: 'i',
    anchored: true,
    verify: (secret) => isBasicCredential(secret) || (/^[^:$]+:.{4,}$/.test(secret) && notPlaceholder(secret)),
    matches: [
      `npmAuthIdent: ${Buffer.from(`ci:${samplePassword}`).toString('base64')}`,
      `npmAuthIdent: "ci:${samplePassword}"`,
    ],
    misses: ['npmAuthIdent: "${' + 'IDENT}"'],
  }),
  genericRule({
    id: 'wordpress-salt',
    name: 'WordPress key or salt',
    keywords: ['_key', '_salt'],
    pattern:
      '_(?:key|salt)["\'][ \\t]{0,4},[ \\t]{0,8}(?:"(?P<secret>[^"\\r\\n]{32,100})"|\'(?P<secret2>[^\'\\r\\n]{32,100})\')[ \\t]{0,4}\\)',
    flags: 'i',
    anchored: true,
    accept: ({ secret, text, matchStart }) =>
      entropy(secret) > 4 &&
      !/unique phrase|^\w+:|example/i.test(secret) &&
      /define\(\s*["']\w+$/i.test(text.slice(Math.max(0, matchStart - 40), matchStart)),
    risk: 'Anyone who reads it can forge sign-in cookies of the site.',
    remediation: 'Replace all keys and salts in wp-config.php with new ones; everyone has to sign in again.',
    matches: [`define('AUTH_KEY', '${hex(16)}|+ ${sampleToken}-{#${hex(12)} ');`],
    misses: ["define('AUTH_KEY', 'put your unique phrase here');"],
  }),
  genericRule({
    id: 'magento-crypt-key',
    name: 'Magento encryption key',
    keywords: ['crypt'],
    pattern:
      'crypt["\']?(?:[ \\t]{0,4}=>[ \\t]{0,4}(?:\\[|array[ \\t]?\\()|>)\\s{0,40}(?:["\']key["\'][ \\t]{0,4}=>[ \\t]{0,4}["\']|<key>(?:<!\\[CDATA\\[)?)(?P<secret>[0-9a-f]{32})',
    anchored: true,
    risk: 'Anyone who reads it can decrypt the payment and customer data of the shop.',
    remediation: 'Create a new key in System, Manage Encryption Key; it re-encrypts everything.',
    verify: notPlaceholder,
    matches: [`'crypt' => [\n  'key' => '${hex(32)}'`, `<crypt>\n<key><![CDATA[${hex(32)}]]></key>`],
    misses: ["'crypt' => ['key' => '']"],
  }),
  genericRule({
    id: 'kubeconfig-client-key',
    name: 'Kubernetes client key',
    severity: 'critical',
    keywords: ['client-key-data'],
    pattern: 'client-key-data["\']?:[ \\t]{0,4}["\']?(?P<secret>[A-Za-z0-9+/]{100,16000}={0,2})',
    anchored: true,
    generic: false,
    risk: 'Anyone who reads it can act on the cluster as that user.',
    remediation:
      'Client certificates cannot be revoked: remove the user’s permissions, or rotate the certificate authority of the cluster.',
    matches: [`client-key-data: ${Buffer.from(`-----BEGIN X-----${hex(128)}`).toString('base64')}`],
    misses: ['client-key-data: REDACTED'],
  }),
];

function characterKinds(text: string): number {
  return [/[a-z]/, /[A-Z]/, /[0-9./]/].filter((kind) => kind.test(text)).length;
}
