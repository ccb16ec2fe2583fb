import { entropy } from '../entropy.ts';
import { isPlaceholder } from '../placeholders.ts';
import type { SecretRule } from '../rule.ts';
import { genericRule, samplePassword, sampleToken } from './generic-rule.ts';

const notPlaceholder = (secret: string): boolean => !isPlaceholder(secret);
const hash = 'a7c1e9405d4b8f3627c1e9a05d4b8f36';

/** Formats of tools' files in which the name beside the secret does not reveal it. */
export const toolFileRules: SecretRule[] = [
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
