import { isCredential, looksRandom } from '../credential-value.ts';
import { fileKind } from '../file-kind.ts';
import { isPlaceholder } from '../placeholders.ts';
import type { SecretCandidate, SecretRule } from '../rule.ts';
import { decodedText } from './assignment-context.ts';
import { genericRule, samplePassword, sampleToken } from './generic-rule.ts';

/** Returns whether a password is the name of the user that a statement creates: `CREATE USER 'shop' … BY 'shop'`. */
const isSqlUser = (secret: string, before: string): boolean =>
  /(?:user|role|login)\s+(?:if\s+not\s+exists\s+)?["'`]?([\w-]{1,60})/i.exec(before)?.[1] === secret;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Accepts `user:password` in base64, unless the user or the password is a placeholder. */
export function isBasicCredential(secret: string): boolean {
  const decoded = decodedText(secret.padEnd(Math.ceil(secret.length / 4) * 4, '='));
  const parts = decoded === null ? null : /^[\w.@+\\/ -]{0,80}:(.{3,200})$/.exec(decoded);
  return parts !== null && !isPlaceholder(parts[1]!) && !/^(?:pass\w*|pwd|secret|open ?sesame)$/i.test(parts[1]!);
}

/** Accepts a command's argument: a weak word in scripts and configuration, only a strong one elsewhere. */
function isArgument({ secret, path }: SecretCandidate): boolean {
  const kind = fileKind(path);
  const file = kind === 'source' || kind === 'ignored' ? 'document' : kind;
  if (/^[-|&;]|^\$/.test(secret)) return false;
  return isCredential({
    value: secret,
    name: 'password',
    kind: 'password',
    file: looksRandom(secret) ? 'configuration' : file,
    quoted: true,
  });
}

const argument = '["\']?(?P<secret>[^\\s"\'`$<>|;&(){}\\\\]{4,100})';

/** `before`: matches the text from the command to the password, in exact case. */
type Command = { id: string; name: string; keywords: string[]; pattern: string; before?: RegExp; sample: string };
const commands: Command[] = [
  {
    id: 'curl-user-password',
    name: 'Password on a curl command line',
    keywords: ['curl'],
    pattern: `curl(?:\\.exe)?[ \\t][^\\n|;]{0,300}?(?:-u|-U|--user|--proxy-user)[ \\t=]{0,3}["']?[^\\s:"'$<>{]{1,80}:${argument.replace('["\']?', '')}`,
    sample: 'curl -s -u admin:SECRET https://api.internal/',
  },
  {
    id: 'mysql-command-password',
    name: 'Password on a MySQL command line',
    keywords: ['mysql', 'mariadb'],
    pattern: `(?:mysql|mariadb)(?:dump|admin|import|sh|check)?(?:[ \\t"'][^\\n|;]{0,200}?)?[ \\t"']-p${argument}`,
    sample: 'mysqldump -u root -pSECRET app',
  },
  {
    id: 'sshpass-password',
    name: 'Password on an sshpass command line',
    keywords: ['sshpass'],
    pattern: `sshpass[ \\t]{1,4}-p[ \\t]{0,4}${argument}`,
    sample: "sshpass -p 'SECRET' ssh root@host",
  },
  {
    id: 'login-command-password',
    name: 'Password on a login command line',
    keywords: [
      'docker',
      'podman',
      'helm',
      'az login',
      'oc login',
      'redis-cli',
      'mongo',
      'ldapsearch',
      'net use',
      'rabbitmqctl',
      'cf login',
      'influx',
      'cqlsh',
    ],
    pattern: `(?:(?:docker|podman|helm|az|oc|cf)[ \\t][^\\n|;]{0,40}?login[^\\n|;]{0,160}?[ \\t]-p|redis-cli[^\\n|;]{0,100}?[ \\t]-a|mongo(?:sh|dump|restore|import|export)?[ \\t][^\\n|;]{0,160}?[ \\t]-p|ldapsearch[^\\n|;]{0,200}?[ \\t]-w|cqlsh[^\\n|;]{0,100}?[ \\t]-p|influx[ \\t][^\\n|;]{0,100}?-password|rabbitmqctl[ \\t]{1,4}(?:add_user|change_password)[ \\t]{1,4}[\\w.-]{1,60}|net use[^\\n|;]{0,100}?/user:[^\\s]{1,60})[ \\t]{1,4}${argument}`,
    sample: 'docker login -u ci -p SECRET registry.internal',
  },
  {
    id: 'remote-command-password',
    name: 'Password on a command line',
    keywords: [
      'npm config set',
      'twine upload',
      'sqlcmd',
      'plink',
      'pscp',
      'psftp',
      'lftp',
      'smbclient',
      'freerdp',
      'net user',
      'vault login',
      'signtool',
      'htpasswd -',
      'psexec',
    ],
    pattern: `(?:npm config set[ \\t]{1,4}["']?[\\w.:/@-]{0,100}_(?:authToken|auth|password)["']?[ \\t=]{1,4}|twine upload[^\\n|;]{0,160}?[ \\t]-p[ \\t]{1,4}|sqlcmd[^\\n|;]{0,160}?[ \\t]-P[ \\t]{0,4}|(?:plink|pscp|psftp)[^\\n|;]{0,160}?[ \\t]-pw[ \\t]{1,4}|lftp[^\\n|;]{0,100}?-u[ \\t]{1,4}["']?[\\w.@-]{1,60},|smbclient[^\\n|;]{0,160}?-U[ \\t]{0,4}["']?[\\w.@\\\\/-]{1,60}%|freerdp[^\\n|;]{0,160}?[ \\t]/p:|signtool[^\\n|;]{0,160}?[ \\t]/p[ \\t]{1,4}|psexec(?:64)?(?:\\.exe)?[ \\t][^\\n|;]{0,200}?[ \\t]-u[ \\t]{1,4}[^\\n|;]{1,100}?[ \\t]-p[ \\t]{1,4}|net user[ \\t]{1,4}["']?[\\w.-]{1,60}["']?[ \\t]{1,4}|vault login[ \\t]{1,4}(?:-[\\w-]{1,30}[ \\t]{1,4}){0,3}|htpasswd -[a-zA-Z]{0,5}b[a-zA-Z]{0,5}[ \\t]{1,4}[\\w./-]{1,100}[ \\t]{1,4}[\\w.@-]{1,60}[ \\t]{1,4})${argument}`,
    sample: 'plink -ssh someone@host -pw SECRET uptime',
  },
  {
    id: 'openssl-pass-argument',
    name: 'Passphrase on a command line',
    keywords: ['pass:'],
    pattern: `pass:${argument.replace('["\']?', '')}`,
    sample: 'openssl rsa -in k.pem -passin pass:SECRET',
  },
  {
    id: 'chpasswd-password',
    name: 'Password given to chpasswd',
    keywords: ['echo'],
    pattern: `echo[ \\t]{1,4}(?:-[en][ \\t]{1,4})?["']?[\\w.-]{1,40}:${argument.replace('["\']?', '')}["']?[ \\t]{0,4}\\|[ \\t]{0,4}(?:sudo[ \\t]{1,4})?(?:/usr/sbin/)?chpasswd`,
    sample: 'echo "root:SECRET" | chpasswd',
  },
  {
    id: 'piped-password',
    name: 'Password given to a command by echo',
    keywords: ['echo '],
    pattern: `echo (?:-[en][ \\t]{1,4})?${argument}["']?[ \\t]{0,4}\\|[ \\t]{0,4}(?:sudo[ \\t]{1,4}(?:-\\w{1,10}[ \\t]{1,4}){0,3}-S|(?:sudo[ \\t]{1,4})?(?:passwd[ \\t]{1,4}--stdin|docker[ \\t]{1,4}login[^\\n|;]{0,160}?--password-stdin|cryptsetup))`,
    sample: 'echo "SECRET" | sudo -S apt-get update',
  },
  {
    id: 'archive-command-password',
    name: 'Password of an archive on a command line',
    keywords: ['zip ', '7za', '7zr', '7z ', 'unrar'],
    pattern: `(?:zip [^\\n|;]{0,160}?-P[ \\t]{1,4}|7z[ar]?[ \\t]{1,4}[axe][ \\t][^\\n|;]{0,160}?-p|unrar[ \\t]{1,4}[xe][ \\t][^\\n|;]{0,160}?-p)${argument}`,
    // `zip -p` means something else.
    before: /^zip .*-P\s+["']?$|^(?!zip).*\s-p["']?$/s,
    sample: 'zip -r -P SECRET backup.zip data',
  },
];

const commandRules = commands.map(({ sample, before, ...fields }) =>
  genericRule({
    ...fields,
    flags: 'i',
    anchored: true,
    accept: (candidate) =>
      isArgument(candidate) &&
      (before?.test(candidate.text.slice(candidate.matchStart, candidate.start)) ?? true) &&
      (fields.id !== 'openssl-pass-argument' ||
        /-?pass(?:in|out|wd)?['"=\s]+$/i.test(
          candidate.text.slice(Math.max(0, candidate.matchStart - 12), candidate.matchStart),
        )),
    matches: [{ path: 'run.sh', text: sample.replace('SECRET', samplePassword) }],
    misses: [
      { path: 'run.sh', text: sample.replace('SECRET', '$SECRET') },
      { path: 'run.sh', text: sample.replace('SECRET', 'changeme') },
    ],
  }),
);

/** Credentials in HTTP headers, on command lines and in SQL statements. */
export const headerAndCommandRules: SecretRule[] = [
  genericRule({
    id: 'http-basic-authorization',
    name: 'Basic authorization header',
    keywords: ['basic'],
    pattern: 'basic[ \\t]{1,4}(?P<secret>[A-Za-z0-9+/]{8,400}={0,2})',
    flags: 'i',
    anchored: true,
    verify: isBasicCredential,
    matches: [`Authorization: Basic ${base64(`deploy:${samplePassword}`)}`],
    misses: [
      'Authorization: Basic ${' + 'CREDENTIALS}',
      `Authorization: Basic ${base64('user:password')}`,
      'Basic authentication methods',
    ],
  }),
  genericRule({
    id: 'http-bearer-authorization',
    name: 'Bearer authorization header',
    keywords: ['bearer', 'token ', 'apikey ', 'genie'],
    pattern: '(?:bearer|token|apikey|geniekey)[ \\t]{1,4}(?P<secret>[A-Za-z0-9_+/.~=-]{16,2000})',
    flags: 'i',
    anchored: true,
    accept: ({ secret, text, matchStart }) =>
      looksRandom(secret) &&
      !isPlaceholder(secret) &&
      /authorization|["'`]\s*$/i.test(text.slice(Math.max(0, matchStart - 40), matchStart)),
    matches: [`curl -H "Authorization: Bearer ${sampleToken}"`, `headers["Authorization"] = "Token ${sampleToken}"`],
    misses: ['Authorization: Bearer your-access-token-goes-here', 'the bearer authentication_middleware_function'],
  }),
  genericRule({
    id: 'sql-user-password',
    name: 'Password in an SQL statement',
    keywords: ['identified', 'password'],
    pattern:
      '(?:identified[ \\t]{1,4}(?:with[ \\t]{1,4}[\\w\'"]{1,40}[ \\t]{1,4})?(?:by|as)[ \\t]{1,4}(?:password[ \\t]{1,4})?|password[ \\t]{0,4}\\(?[ \\t]{0,4}=?[ \\t]{0,4}N?)["\'](?P<secret>[^"\'\\\\\\n]{4,200})["\']',
    flags: 'i',
    anchored: true,
    accept: ({ secret, text, matchStart, start, path }) =>
      // `"password", text("select"` of a program.
      !/^password["']\s*,/i.test(text.slice(matchStart, start)) &&
      !/^password["']/i.test(text.slice(matchStart)) &&
      !isSqlUser(secret, text.slice(Math.max(0, matchStart - 200), matchStart)) &&
      fileKind(path) !== 'ignored' &&
      /(?:create|alter)\s+(?:user|role|login|group)|grant\s|set\s+password|identified|master\s+key|values/i.test(
        text.slice(Math.max(0, matchStart - 200), matchStart + 12),
      ) &&
      isCredential({
        value: secret,
        name: 'password',
        kind: 'password',
        file: fileKind(path) === 'document' ? 'document' : 'configuration',
        quoted: true,
      }),
    matches: [
      `CREATE USER app IDENTIFIED BY '${samplePassword}';`,
      `ALTER ROLE app WITH PASSWORD '${samplePassword}';`,
      `CREATE LOGIN app WITH PASSWORD = N'${samplePassword}'`,
    ],
    misses: ["CREATE USER app IDENTIFIED BY 'changeme';", "ALTER ROLE app PASSWORD '${" + "PASSWORD}';"],
  }),
  genericRule({
    id: 'powershell-secure-string',
    name: 'Password in a PowerShell script',
    keywords: ['securestring'],
    pattern:
      'securestring[ \\t(]{1,4}(?:-string[ \\t]{1,4})?(?:"(?P<secret>[^"\\n]{4,200})"|\'(?P<secret2>[^\'\\n]{4,200})\')',
    flags: 'i',
    anchored: true,
    accept: ({ secret }) =>
      isCredential({ value: secret, name: 'password', kind: 'password', file: 'configuration', quoted: true }),
    matches: [`ConvertTo-SecureString -String "${samplePassword}" -AsPlainText -Force`],
    misses: ['ConvertTo-SecureString $password -AsPlainText -Force', "ConvertTo-SecureString 'password' -AsPlainText"],
  }),
  ...commandRules,
];
