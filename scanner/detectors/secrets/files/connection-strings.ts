import { isCredential, looksRandom } from '../credential-value.ts';
import { fileKind, isCode } from '../file-kind.ts';
import { isPlaceholder } from '../placeholders.ts';
import type { SecretCandidate, SecretRule } from '../rule.ts';
import { genericRule, samplePassword, sampleToken } from './generic-rule.ts';

/** Passwords in URLs are often weak, so only documentation is treated differently. */
function isUrlPassword({ secret, text, start, end, path }: SecretCandidate): boolean {
  const before = text.slice(Math.max(0, start - 120), start);
  const user = /:\/\/([^\s:/@"'<>]*):$/.exec(before)?.[1] ?? '';
  const host = /^@([^\s/:"'<>]+)/.exec(text.slice(end, end + 120))?.[1] ?? '';
  const value = decode(secret);
  if (
    value.length < 3 ||
    isPlaceholder(value) ||
    /^(?:(?:proxy[-_]?)?pass\w*|pserver:.*|pwd|pw|p|secret|token|\w*password|passw\w*|port|\d{1,5})$/i.test(value)
  )
    return false;
  // Proxies in front of git hosts accept any password from the user `git`.
  if (user === 'git' && !looksRandom(value)) return false;
  if (/^(?:x-oauth-basic|x-access-token|oauth2?|x-token-auth|git|login|user\d*)$/i.test(value)) return false;
  if (
    /[${}<>%*]|^\W+$/.test(host) ||
    /^(?:host|hostname|server|domain|address|ip|proxy(?:[-_]?(?:host(?:name)?|server|address|ip))?|(?:[\w-]+\.)*example\.(?:com|org|net)|your[\w.-]*|my[-_]?host[\w.-]*|some[\w.-]*|foo|bar)$/i.test(
      host,
    )
  )
    return false;
  if (isExamplePair(user, value))
    return fileKind(path) === 'configuration' && !/^(?:user(?:name)?|login|me|bob|alice|foo|name|u)$/i.test(user);
  if (/^(?:\[|\{|<|\$|%[sdv(]|%$)/.test(user) && /[[{<$%]/.test(value)) return false;
  const file = fileKind(path);
  return file === 'ignored' || file === 'document' || file === 'source'
    ? value.length >= 5 && /\d|[^\w]|[a-z][A-Z]/.test(value)
    : true;
}

const isExamplePair = (user: string, password: string): boolean =>
  user !== '' && user.toLowerCase() === password.toLowerCase();

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function isConnectionPassword({ secret, text, start, end, path }: SecretCandidate): boolean {
  const around = text.slice(Math.max(0, start - 300), end + 200);
  const near = around.slice(Math.max(0, start - 300) === 0 ? 0 : around.indexOf('\n') + 1);
  if (
    !/(?:server|data source|host|hostname|user id|user|uid|username|database|initial catalog|addr|address|endpoint|dbname|driver|provider|account\w*|ssl|abortconnect|jdbc:[\w:]+)\s*[=:]/i.test(
      near,
    )
  )
    return false;
  if (/=$/.test(secret) && !/^[A-Za-z0-9+/]{20,}={1,2}$/.test(secret)) return false;
  const kind = fileKind(path);
  const code = kind === 'source' || isCode(path);
  // In code, a connection string is quoted; anything else is an assignment from a variable.
  if (
    code &&
    (!/["'`][^"'`\n]*$/.test(text.slice(Math.max(0, start - 300), start)) || /^[([.]/.test(text.slice(end, end + 1)))
  )
    return false;
  if (code && /[()[]|^\w+\.\w+/.test(secret)) return false;
  // `PASSWORD = "word"` in code is an assignment, whose word may be a name.
  const isAssigned = kind === 'source' && /=[ \t]{0,4}["'`]$/.test(text.slice(Math.max(0, start - 6), start));
  const file = kind === 'document' || kind === 'ignored' || isAssigned ? kind : 'configuration';
  return isCredential({ value: secret, name: 'password', kind: 'password', file, quoted: true });
}

const sampleUrl = (scheme: string, secret: string, rest: string): string => `${scheme}://admin:${secret}@${rest}`;
const urlPassword = samplePassword.replace('!', '-');

/** Passwords inside URLs and connection strings of any scheme or driver. */
export const connectionStringRules: SecretRule[] = [
  genericRule({
    id: 'url-credentials',
    name: 'Password in a URL',
    keywords: ['://'],
    pattern:
      '://[^\\s:/@"\'`<>\\\\,;|(){}]{0,100}:(?P<secret>[^\\s/"\'`<>\\\\?,;|]{0,160}[^\\s/"\'`<>\\\\?@,;|])@(?:\\[|[A-Za-z0-9_$%{(*.-]{1,200})',
    anchored: true,
    accept: isUrlPassword,
    matches: [
      sampleUrl('postgres', urlPassword, 'db.internal:5432/app'),
      sampleUrl('amqp', urlPassword, 'queue/vhost'),
      sampleUrl('https', urlPassword, 'git.internal/x.git'),
    ],
    misses: [
      'https://user:${' + 'PASSWORD}@db.internal/',
      'https://docs.internal:8443/@scope',
      'postgres://user:password@localhost/db',
    ],
  }),
  genericRule({
    id: 'url-token',
    name: 'Token in a URL',
    keywords: ['://'],
    pattern: '://(?P<secret>[A-Za-z0-9_-]{20,120})@[A-Za-z0-9.-]{3,200}',
    anchored: true,
    verify: (secret) => /\d/.test(secret) && /[A-Za-z]/.test(secret) && !isPlaceholder(secret),
    matches: [`https://${['9fK2qLx7', 'VbN4tRw8', 'Zp3cHy6m'].join('')}@git.internal/x.git`],
    misses: ['ssh://deployment-user-name-long@git.internal/x.git'],
  }),
  genericRule({
    id: 'url-query-secret',
    name: 'Secret in a URL query',
    keywords: ['token=', 'key=', 'secret=', 'password=', 'passwd=', 'pwd=', 'auth=', 'sig='],
    pattern: '(?:token|key|secret|password|passwd|pwd|auth|sig)=(?P<secret>[A-Za-z0-9_.~%+/-]{8,400}={0,2})',
    flags: 'i',
    anchored: true,
    accept: ({ secret, text, matchStart, path }) =>
      /[?&;][\w.-]{0,40}$/.test(text.slice(Math.max(0, matchStart - 41), matchStart)) &&
      fileKind(path) !== 'ignored' &&
      looksRandom(secret) &&
      !isPlaceholder(secret) &&
      !/(?:badge\.svg\?\w*|(?:public|csrf|state|page|cache)[\w.-]*)$/i.test(
        text.slice(Math.max(0, matchStart - 41), matchStart),
      ),
    matches: [`fetch("https://api.internal/v1?api_key=${sampleToken}&x=1")`],
    misses: ['https://api.internal/v1?api_key=YOUR_API_KEY', 'https://api.internal/v1?token=${' + 'TOKEN}'],
  }),
  genericRule({
    id: 'connection-string-password',
    name: 'Password in a connection string',
    keywords: ['password', 'pwd', 'passwd', 'accountkey', 'sharedaccesskey'],
    pattern:
      '(?:password|pwd|passwd|accountkey|sharedaccesskey)[ \\t]{0,4}=[ \\t]{0,4}(?:\\\\?[\'"])?(?P<secret>[^\\s;,&"\'`<>\\\\]{3,200})',
    flags: 'i',
    anchored: true,
    accept: isConnectionPassword,
    matches: [
      { path: 'appsettings.json', text: `"Server=db;Database=app;User Id=sa;Password=${samplePassword};Encrypt=true"` },
      { path: 'app.properties', text: `url=jdbc:mysql://db/app?user=root&password=${samplePassword}` },
    ],
    misses: [{ path: 'appsettings.json', text: '"Server=db;User Id=sa;Password=${' + 'PASSWORD};"' }],
  }),
  genericRule({
    id: 'oracle-connect-password',
    name: 'Oracle connection password',
    keywords: ['sqlplus', 'jdbc:oracle:thin:', 'expdp', 'impdp', 'sqlldr'],
    pattern:
      '(?:sqlplus|expdp|impdp|sqlldr|jdbc:oracle:thin:)(?:[ \\t]{1,4}-[A-Za-z]{1,3}){0,3}[ \\t]{0,4}["\']?[A-Za-z]\\w{0,40}/(?P<secret>[^\\s@/"\']{4,60})@',
    flags: 'i',
    anchored: true,
    accept: (candidate) => isUrlPassword({ ...candidate, end: candidate.text.length }),
    matches: [`sqlplus scott/${urlPassword}@orcl`, `jdbc:oracle:thin:app/${urlPassword}@//db:1521/x`],
    misses: ['sqlplus user/$PASSWORD@orcl'],
  }),
];
