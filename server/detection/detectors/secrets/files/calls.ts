import { isCredential } from '../credential-value.ts';
import { fileKind } from '../file-kind.ts';
import type { SecretCandidate, SecretRule } from '../rule.ts';
import { genericRule, samplePassword } from './generic-rule.ts';

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
export const callRules: SecretRule[] = [
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
