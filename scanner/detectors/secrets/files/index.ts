import { isTestPath } from '../../../contract/test-path.ts';
import { isCredential } from '../credential-value.ts';
import { entropy } from '../entropy.ts';
import { fileKind } from '../file-kind.ts';
import { isPlaceholder } from '../placeholders.ts';
import type { SecretCandidate, SecretRule } from '../rule.ts';
import { sample } from '../sample.ts';
import { assignmentRules } from './assignments.ts';
import { connectionStringRules } from './connection-strings.ts';
import { credentialFileRules } from './credential-files.ts';
import { genericRule, samplePassword, sampleToken } from './generic-rule.ts';
import { headerAndCommandRules } from './headers-and-commands.ts';
import { kubernetesSecretRules } from './kubernetes-secrets.ts';
import { namedFileRules } from './named-files.ts';
import { sessionKeyRules } from './session-keys.ts';
import { tokenSecretRules } from './token-secrets.ts';

const notPlaceholder = (secret: string): boolean => !isPlaceholder(secret);
const hash = 'a7c1e9405d4b8f3627c1e9a05d4b8f36';

/** Formats of tools' files in which the name beside the secret does not reveal it. */
const toolFileRules: SecretRule[] = [
  genericRule({
    id: 'composer-registry-token',
    name: 'Package registry token',
    keywords: ['github-oauth', 'gitlab-token', 'gitlab-oauth', '"bearer"'],
    pattern:
      '(?:github-oauth|gitlab-token|gitlab-oauth|"bearer)"\\s{0,8}:\\s{0,8}\\{\\s{0,40}"[^"\\n]{1,80}"\\s{0,8}:\\s{0,8}"(?P<secret>[^"\\s]{8,400})"',
    anchored: true,
    verify: notPlaceholder,
    matches: [{ path: 'auth.json', text: `{"github-oauth": {"github.internal": "${sampleToken}"}}` }],
    misses: [{ path: 'auth.json', text: '{"github-oauth": {"github.internal": "your-token-here"}}' }],
  }),
  genericRule({
    id: 'maven-master-password',
    name: 'Maven master password',
    risk: 'Together with settings.xml, it reveals every password that Maven keeps encrypted.',
    keywords: ['<master>'],
    pattern: '<master>(?P<secret>\\{[^<}\\s]{16,200}\\})</master>',
    anchored: true,
    matches: [`<settingsSecurity><master>{${sampleToken}=}</master></settingsSecurity>`],
    misses: ['<master>{short}</master>'],
  }),
  genericRule({
    id: 'snmp-community',
    name: 'SNMP community',
    severity: 'medium',
    risk: 'Anyone who reads it can read the state of the devices that accept it, and change it with a write community.',
    keywords: ['community'],
    path: /\.(?:conf|cfg|cnf|local|txt|ini)$/i,
    pattern: '(?:rocommunity6?|rwcommunity6?|snmp-server[ \\t]{1,4}community)[ \\t]{1,8}"?(?P<secret>[^\\s"<$]{4,64})',
    verify: (secret) => notPlaceholder(secret) && !/^(?:public|private|default|community)$/i.test(secret),
    matches: [{ path: 'snmpd.conf', text: `rocommunity ${samplePassword} 10.0.0.0/8` }],
    misses: [{ path: 'snmpd.conf', text: 'rocommunity public' }],
  }),
  genericRule({
    id: 'sql-dump-password-hash',
    name: 'Password hash in a database dump',
    severity: 'medium',
    risk: 'Unsalted hashes are cracked within seconds, and people reuse their passwords.',
    remediation:
      'Remove the dump from the repository, have the users change their passwords, and store them with a slow hash.',
    keywords: ['insert into'],
    path: /\.(?:sql|dump|bak|backup)$/i,
    pattern:
      'insert into[ \\t]{1,4}[`"\\[]?(?:\\w{1,40}[`"\\]]?\\.[`"\\[]?)?\\w{0,40}(?:user|account|member|admin|login|customer|person|staff|employee)\\w{0,40}[^\\n]{0,300}?values[^\\n]{0,400}?\'(?P<secret>[0-9a-f]{128}|[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\'',
    flags: 'i',
    anchored: true,
    verify: (secret) => entropy(secret) > 3,
    matches: [{ path: 'dump.sql', text: `INSERT INTO \`users\` VALUES (1,'someone','${hash}');` }],
    misses: [{ path: 'dump.sql', text: `INSERT INTO \`files\` VALUES (1,'a','${hash}');` }],
  }),
  genericRule({
    id: 'irc-identify-password',
    name: 'Chat user password',
    keywords: ['identify'],
    path: /irssi|weechat|irc|znc|\.cfg$|\.conf$|config$/i,
    pattern: 'identify[ \\t]{1,4}(?:[\\w-]{1,30}[ \\t]{1,4})?(?P<secret>[^\\s"\';$<]{5,60})["\';]',
    flags: 'i',
    anchored: true,
    accept: ({ secret, text, matchStart }) =>
      /serv\W/i.test(text.slice(Math.max(0, matchStart - 30), matchStart)) && notPlaceholder(secret),
    matches: [{ path: '.irssi/config', text: `autosendcmd = "/msg nickserv identify ${samplePassword}";` }],
    misses: [{ path: '.irssi/config', text: 'autosendcmd = "/msg nickserv identify $PASSWORD";' }],
  }),
  genericRule({
    id: 'ejabberd-database-password',
    name: 'Database password',
    keywords: ['odbc_server', 'sql_server'],
    pattern:
      '(?:odbc|sql)_server,[ \\t]{0,4}\\{[a-z]{3,10},[ \\t]{0,4}(?:"[^"\\n]{1,100}",[ \\t]{0,4}|\\d{2,5},[ \\t]{0,4}){3,4}"(?P<secret>[^"\\n]{3,100})"\\}',
    anchored: true,
    verify: notPlaceholder,
    matches: [`{odbc_server, {mysql, "localhost", "ejabberd", "ejabberd", "${samplePassword}"}}.`],
    misses: ['{odbc_server, {mysql, "localhost", "ejabberd", "ejabberd", "password"}}.'],
  }),
];

const letters = '0-9A-Za-z';

type Webhook = { id: string; name: string; host: string; pattern: string; sample: string; miss: string };

/** Addresses that need no other credential: anyone with the address may call it. */
const webhooks: Webhook[] = [
  {
    id: 'zapier-webhook',
    name: 'Zapier webhook',
    host: 'hooks.zapier.com/hooks/',
    pattern: 'hooks\\.zapier\\.com/hooks/(?:standard|catch)/\\d{3,12}/(?:silent/)?(?P<secret>[0-9A-Za-z-]{5,60})',
    sample: `https://hooks.zapier.com/hooks/catch/${'1357924'}/${sample('0-9a-z', 7, 'zapier')}/`,
    miss: 'https://hooks.zapier.com/hooks/catch/',
  },
  {
    id: 'ifttt-webhook-key',
    name: 'IFTTT webhook key',
    host: 'maker.ifttt.com/',
    pattern: 'maker\\.ifttt\\.com/(?:trigger/[^\\s"\'<>]{1,100}/with/key|use)/(?P<secret>[0-9A-Za-z_-]{20,80})',
    sample: `https://maker.ifttt.com/trigger/ring/with/key/${sample(letters, 22, 'ifttt')}`,
    miss: 'https://maker.ifttt.com/trigger/ring/with/key/{key}',
  },
  {
    id: 'make-webhook',
    name: 'Make webhook',
    host: '.make.com/',
    pattern: '\\.make\\.com/(?P<secret>[0-9a-z]{28,40})',
    sample: `https://hook.eu1.make.com/${sample('0-9a-z', 32, 'make')}`,
    miss: 'https://www.make.com/en/integrations',
  },
  {
    id: 'mattermost-webhook',
    name: 'Mattermost or Rocket.Chat webhook',
    host: '/hooks/',
    pattern: '/hooks/(?P<secret>(?:[0-9A-Za-z]{17,24}/)?[0-9a-z]{26}|[0-9A-Za-z]{17,24}/[0-9A-Za-z]{40,80})',
    sample: `https://chat.internal/hooks/${sample('0-9a-z', 26, 'mattermost')}`,
    miss: 'https://github.internal/hooks/pre-receive-hook-that-rejects',
  },
];

const webhookRules: SecretRule[] = webhooks.map(({ id, name, host, pattern, sample: address, miss }) =>
  genericRule({
    id,
    name,
    severity: 'medium',
    generic: false,
    risk: 'Anyone who reads it can start what the webhook starts, and send it any content.',
    remediation: 'Delete the webhook, create a new one, and keep its address out of the repository.',
    keywords: [host],
    pattern: `${pattern}(?:[^0-9A-Za-z_-]|$)`,
    anchored: true,
    verify: (secret) => !isPlaceholder(secret) && (id === 'zapier-webhook' || /\d/.test(secret)),
    matches: [`url: ${address}`, `{"url": "${address}"}`],
    misses: [miss, `url: ${address.slice(0, -12)}`],
  }),
);

const keyText = (group: number) =>
  `[rbu]{0,2}(?:"(?P<secret${group || ''}>[^"\\n]{6,200})"|'(?P<secret${group + 1}>[^'\\n]{6,200})')`;

function isInUse({ secret, path }: SecretCandidate): boolean {
  if (isPlaceholder(secret) || ['document', 'ignored'].includes(fileKind(path)) || isTestPath(path)) return false;
  // Known words of protocols (`WebAppData`) and names of algorithms or formats are not keys.
  return !/^[\w.]+\(|%[sd]|\\x00|^sha\d|^[A-Za-z]+(?: [A-Za-z]+)*$|\s.*\s/.test(secret);
}

/** Keys that code passes as literals to a signing function. */
const hmacKeyRules: SecretRule[] = [
  genericRule({
    id: 'hmac-signing-key',
    name: 'Key that signs messages',
    risk: 'Anyone who reads it can forge what the application signs.',
    remediation: 'Create a new random key outside the repository, and read it from the environment or a secret store.',
    keywords: [
      'createhmac(',
      'hmac.new(',
      'hash_hmac(',
      'hmac.hexdigest(',
      'hmac.digest(',
      'secretkeyspec(',
      'cookiestore(',
    ],
    pattern: [
      `createhmac\\([ \\t]{0,4}["'][\\w-]{2,20}["'],[ \\t]{0,4}${keyText(0)}[ \\t]{0,4}\\)`,
      `hmac\\.new\\([ \\t]{0,4}(?:key[ \\t]{0,4}=[ \\t]{0,4})?${keyText(2)}[ \\t]{0,4}[,)]`,
      `hmac\\.new\\([ \\t]{0,4}[\\w.]{2,30},[ \\t]{0,4}\\[\\]byte\\(${keyText(4)}\\)`,
      `hash_hmac\\([ \\t]{0,4}["'][\\w-]{2,20}["'],[ \\t]{0,4}[^,"'\\n]{1,80},[ \\t]{0,4}${keyText(6)}`,
      `hmac\\.(?:hex)?digest\\([ \\t]{0,4}[^,\\n]{1,60},[ \\t]{0,4}${keyText(8)}[ \\t]{0,4},`,
      `secretkeyspec\\([ \\t]{0,4}${keyText(10)}\\.getbytes`,
      `cookiestore\\([ \\t]{0,4}\\[\\]byte\\(${keyText(12)}\\)`,
    ].join('|'),
    flags: 'i',
    anchored: true,
    accept: isInUse,
    matches: [
      { path: 'server.js', text: `crypto.createHmac('sha256', '${samplePassword}').update(body)` },
      { path: 'app.py', text: `hmac.new(b'${samplePassword}', message, hashlib.sha256)` },
      { path: 'main.go', text: `hmac.New(sha256.New, []byte("${samplePassword}"))` },
      { path: 'main.go', text: `sessions.NewCookieStore([]byte("${samplePassword}"))` },
      { path: 'a.php', text: `hash_hmac('sha256', $data, '${samplePassword}')` },
      { path: 'a.rb', text: `OpenSSL::HMAC.hexdigest('SHA256', '${samplePassword}', data)` },
      { path: 'A.java', text: `new SecretKeySpec("${samplePassword}".getBytes(UTF_8), "HmacSHA256")` },
    ],
    misses: [
      { path: 'server.js', text: "crypto.createHmac('sha256', process.env.KEY)" },
      { path: 'server.js', text: "crypto.createHmac('sha256', 'WebAppData')" },
      { path: 'seed.js', text: "crypto.createHmac('sha512', 'Bitcoin seed')" },
      { path: 'test/sign.js', text: `crypto.createHmac('sha256', '${samplePassword}')` },
      { path: 'app.py', text: "hmac.new(key, b'message1', hashlib.sha256)" },
      { path: 'main.go', text: 'hmac.New(sha256.New, key)' },
    ],
  }),
];

const text = '["\'][^"\'\\n]{0,200}["\']';
const anyArgument = `(?:${text}|\\{[^{}\\n]{0,120}\\}|[\\w.$:>\\[\\]()-]{1,80})[ \\t\\r\\n]{0,40},[ \\t\\r\\n]{0,40}`;
const secret = '(?:"(?P<secret>[^"\\n]{4,200})"|\'(?P<secret2>[^\'\\n]{4,200})\')';

function isPasswordArgument({ secret: value, path }: SecretCandidate): boolean {
  const file = fileKind(path);
  return isCredential({ value, name: 'password', kind: 'password', file, quoted: true });
}

/**
 * Passwords that are passed by position: `mysqli_connect("host", "user", "…")`, `auth=("user", "…")`.
 */
const callRules: SecretRule[] = [
  genericRule({
    id: 'password-second-argument',
    name: 'Password',
    keywords: [
      'login(',
      'auth=(',
      'auth(',
      'basicauth',
      'basic_auth',
      'networkcredential(',
      'passwordauthentication(',
      'credentials(',
      'authenticate(',
    ],
    pattern: `(?:login|auth|auth=|(?:set|use|with)?(?:http)?basic_?auth\\w{0,20}|networkcredential|passwordauthentication|credentials|authenticate)[ \\t(]{1,4}${text}[ \\t]{0,4},[ \\t\\r\\n]{0,40}${secret}`,
    flags: 'i',
    anchored: true,
    accept: isPasswordArgument,
    matches: [
      { path: 'a.py', text: `requests.get(url, auth=("admin", "${samplePassword}"))` },
      { path: 'a.js', text: `conn.login('someone@corp.internal', '${samplePassword}', done)` },
      { path: 'A.cs', text: `new NetworkCredential("admin", "${samplePassword}")` },
    ],
    misses: [
      { path: 'a.py', text: 'requests.get(url, auth=("user", "password"))' },
      { path: 'a.py', text: 'login("user", prompt())' },
    ],
  }),
  genericRule({
    id: 'password-third-argument',
    name: 'Password',
    keywords: [
      'mysqli',
      'mysql_connect(',
      'mysql_pconnect(',
      'pdo(',
      'getconnection(',
      'ftp_login(',
      'sql.connect(',
      'sqldb.connect(',
      'dbi->connect(',
      'ssh2_auth_password(',
      'createconnection(',
      'imap_open(',
      'ldap_bind(',
    ],
    pattern: `(?:mysqli(?:_connect|_real_connect)?|mysql_p?connect|pdo|getconnection|ftp_login|sql\\.connect|sqldb\\.connect|dbi->connect|ssh2_auth_password|createconnection|imap_open|ldap_bind)\\([ \\t\\r\\n]{0,40}${anyArgument}${anyArgument}${secret}`,
    flags: 'i',
    anchored: true,
    accept: isPasswordArgument,
    matches: [
      { path: 'a.php', text: `$c = mysqli_connect("localhost", "root", "${samplePassword}", "shop");` },
      { path: 'A.java', text: `DriverManager.getConnection(url, "app", "${samplePassword}")` },
    ],
    misses: [
      { path: 'a.php', text: 'mysqli_connect("localhost", "root", "password")' },
      { path: 'a.php', text: 'mysqli_connect($host, $user, $password)' },
    ],
  }),
];

/**
 * Rules for credentials that their context reveals: names, calls, URLs, headers, commands and formats of well-known
 * files. Earlier ones win.
 */
export const fileRules: SecretRule[] = [
  ...webhookRules,
  ...credentialFileRules,
  ...namedFileRules,
  ...kubernetesSecretRules,
  ...toolFileRules,
  ...connectionStringRules,
  ...headerAndCommandRules,
  ...callRules,
  ...tokenSecretRules,
  ...sessionKeyRules,
  ...hmacKeyRules,
  ...assignmentRules,
];
