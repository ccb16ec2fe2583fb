import { isLeftOut } from '../placeholders.ts';
import type { SecretCandidate, SecretRule } from '../rule.ts';
import { genericRule, samplePassword } from './generic-rule.ts';

/** In a file whose only purpose is to store credentials, `password` is one. */
const isUsed = (secret: string): boolean => !isLeftOut(secret);

function lineBefore({ text, matchStart }: SecretCandidate): string {
  const before = text.slice(Math.max(0, matchStart - 200), matchStart);
  return before.slice(before.lastIndexOf('\n') + 1);
}

const settingFiles =
  /(?:^|\/)(?:\.?(?:esmtprc|msmtprc|mpoprc|fetchmailrc|getmailrc|offlineimaprc|mbsyncrc|muttrc|mailrc|wgetrc|smbcredentials|cifscredentials|my\.cnf|mylogin\.cnf|pg_service\.conf|odbc\.ini|freetds\.conf|s3cfg|pypirc|ircrc|vncrc|xchatrc)|ssmtp\.conf|ventrilo_srv\.ini|servlist_\.conf|[\w-]*\.smbcredentials|[\w-]*cifs[\w-]*cred[\w-]*)$/i;
const clientFiles =
  /(?:^|\/)(?:\.ftpconfig|\.ftppass|\.remote-sync\.json|\.?sftp(?:-config(?:-alt\d?)?)?\.json|\.sftp-config|\.?ftp-?sync(?:\.json|\.settings)|deployment-config\.json|robomongo\.json|robo3t\.json|\.?dbshell\.json|connections\.json|credentials-config\.json|heroku\.json|\.ftp-simple\.json)$/i;
const siteFiles = /(?:^|\/)(?:sitemanager|recentservers|filezilla|queue|trustedcerts|dbvis|\.purple\/accounts)\.xml$/i;

export const credentialFileRules: SecretRule[] = [
  genericRule({
    id: 'netrc-password',
    name: 'Password in .netrc',
    path: /(?:^|\/|\.)[._]?netrc$/i,
    keywords: ['passw'],
    pattern: 'passw(?:or)?d[ \\t\\r\\n]{1,8}"?(?P<secret>[^\\s"]{1,200})',
    anchored: true,
    verify: isUsed,
    accept: (candidate) => !/#/.test(lineBefore(candidate)),
    matches: [
      { path: '.netrc', text: 'machine api.internal login me password welcome' },
      { path: 'home/_netrc', text: `machine api.internal\nlogin me\npassword ${'secret'}\n` },
    ],
    misses: [
      { path: '.netrc', text: 'machine api.internal login me password ${' + 'TOKEN}' },
      { path: '.netrc', text: '# password goes here' },
      { path: 'notes.txt', text: 'the password welcome is weak' },
    ],
  }),
  genericRule({
    id: 'git-credentials-password',
    name: 'Password in .git-credentials',
    path: /(?:^|\/)[\w.-]*git-credentials$/i,
    keywords: ['://'],
    pattern: '://[^\\s:/@]{0,100}:(?P<secret>[^\\s@]{1,300})@',
    anchored: true,
    verify: isUsed,
    matches: [{ path: '.git-credentials', text: 'https://me:password@git.internal\n' }],
    misses: [
      { path: '.git-credentials', text: 'https://git.internal\n' },
      { path: 'README', text: 'https://me:password@git.internal\n' },
    ],
  }),
  genericRule({
    id: 'client-settings-password',
    name: 'Password in a client’s settings',
    path: settingFiles,
    keywords: ['pass'],
    pattern: 'pass(?:w(?:or)?d|phrase)?["\']?[ \\t]{0,8}[=: \\t][ \\t]{0,8}["\']?(?P<secret>[^\\s"\']{1,200})',
    flags: 'i',
    anchored: true,
    verify: isUsed,
    // `passwordeval "pass show mail"` runs a program.
    accept: (candidate) => /^(?!\s*[#;])(?:.*[\s,])?[\w.-]*$/.test(lineBefore(candidate)),
    matches: [
      { path: '.esmtprc', text: 'hostname = smtp.internal:587\nusername = "me"\npassword = "password"\n' },
      { path: '.msmtprc', text: 'account x\nuser me\npassword monkey\n' },
      { path: '.fetchmailrc', text: 'poll mail.internal proto imap user "me" password "dragon"' },
      { path: 'etc/.smbcredentials', text: 'username=me\npassword=password\n' },
      { path: '.my.cnf', text: '[client]\nuser=root\npassword=root\n' },
    ],
    misses: [
      { path: '.msmtprc', text: 'passwordeval "pass show mail"' },
      { path: '.my.cnf', text: '[client]\npassword=\nuser=root\n' },
      { path: '.esmtprc', text: 'password = "change_me"' },
      { path: 'settings.txt', text: 'password = "password"' },
    ],
  }),
  genericRule({
    id: 'client-json-password',
    name: 'Password in a client’s settings',
    path: clientFiles,
    keywords: ['pass'],
    pattern: 'pass(?:w(?:or)?d|phrase)?"[ \\t]{0,8}:[ \\t]{0,8}"(?P<secret>[^"\\n]{1,200})"',
    flags: 'i',
    anchored: true,
    verify: isUsed,
    matches: [
      { path: '.ftpconfig', text: '{"host": "h", "user": "u", "pass": "password"}' },
      { path: '.vscode/sftp.json', text: '{"host": "h", "username": "u", "password": "test123"}' },
      { path: 'db/robomongo.json', text: '{"userName": "u", "userPassword" : "secret"}' },
    ],
    misses: [
      { path: 'sftp-config.json', text: '{"password": "", "ssh_key_file": "~/.ssh/id"}' },
      { path: 'sftp-config.json', text: '{"password": "${' + 'PASSWORD}"}' },
      { path: 'form.json', text: '{"password": "password"}' },
    ],
  }),
  genericRule({
    id: 'ftp-site-password',
    name: 'Password of a site or server',
    path: siteFiles,
    keywords: ['<pass'],
    pattern: '<pass(?:word)?(?:[ \\t]{1,4}encoding="\\w{1,20}")?>(?P<secret>[^<\\s]{1,300})</pass',
    flags: 'i',
    anchored: true,
    verify: isUsed,
    matches: [
      { path: 'filezilla/recentservers.xml', text: '<Server><Host>h</Host><Pass>secret</Pass></Server>' },
      {
        path: 'sitemanager.xml',
        text: `<Pass encoding="base64">${Buffer.from(samplePassword).toString('base64')}</Pass>`,
      },
    ],
    misses: [
      { path: 'sitemanager.xml', text: '<Server><Host>h</Host><Pass></Pass></Server>' },
      { path: 'form.xml', text: '<Pass>secret</Pass>' },
    ],
  }),
  genericRule({
    id: 'client-login-line',
    name: 'Password in a client’s settings',
    path: /(?:^|\/)(?:\.lftprc|lftp\/rc|[._]curlrc|\.cvspass|servlist_?\.conf)$/i,
    keywords: [],
    pattern: [
      '^open[ \\t][^\\n]{0,80}?-u[ \\t]{1,4}[^\\s,]{1,60},(?P<secret>[^\\s]{1,100})',
      '^(?:proxy-)?user[ \\t]{0,4}[=: \\t][ \\t]{0,4}"?[^:"\\s]{1,80}:(?P<secret2>[^"\\s]{1,200})',
      '^(?:/1 )?:pserver:[^\\s]{1,200} A(?P<secret3>[^\\s]{1,100})',
      '^P=(?P<secret4>[^\\s]{1,100})',
    ].join('|'),
    verify: isUsed,
    matches: [
      { path: '.lftprc', text: 'open -u me,secret ftp.internal\n' },
      { path: '.curlrc', text: 'silent\nuser = "me:secret"\n' },
      { path: '.cvspass', text: '/1 :pserver:me@cvs.internal:2401/x Ay=0=a%0bZ\n' },
      { path: '.xchat2/servlist_.conf', text: 'N=Free\nP=secret\n' },
    ],
    misses: [
      { path: '.curlrc', text: 'user-agent = "me:secret"\n' },
      { path: 'notes.txt', text: 'P=secret\n' },
    ],
  }),
  genericRule({
    id: 'jetbrains-server-password',
    name: 'Password of a server in an IDE’s settings',
    path: /(?:^|\/)\.idea\/(?:webservers|deployment|sshconfigs)\.xml$/i,
    risk: 'The IDE only scrambles it: anyone who reads it can sign in to the server.',
    keywords: ['password="'],
    pattern: 'password="(?P<secret>[0-9a-f]{8,400})"',
    anchored: true,
    matches: [{ path: '.idea/WebServers.xml', text: '<fileTransfer host="h" password="dfe1dfd7dfd0dfc6" />' }],
    misses: [{ path: '.idea/WebServers.xml', text: '<fileTransfer host="h" password="" />' }],
  }),
  genericRule({
    id: 'browser-login',
    name: 'Saved login of a browser',
    path: /(?:^|\/)logins(?:-backup)?\.json$/i,
    risk: 'With the key file of the same profile, anyone who reads it knows the password.',
    keywords: ['encryptedpassword"'],
    pattern: 'encryptedpassword"[ \\t]{0,4}:[ \\t]{0,4}"(?P<secret>[A-Za-z0-9+/]{16,600}={0,2})"',
    flags: 'i',
    anchored: true,
    matches: [
      { path: '.mozilla/firefox/logins.json', text: `{"encryptedPassword":"${btoa(samplePassword.repeat(3))}"}` },
    ],
    misses: [{ path: 'other.json', text: `{"encryptedPassword":"${btoa(samplePassword.repeat(3))}"}` }],
  }),
];
