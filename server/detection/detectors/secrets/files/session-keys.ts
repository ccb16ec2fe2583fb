import { fileKind } from '../file-kind.ts';
import { isPlaceholder } from '../placeholders.ts';
import type { SecretCandidate, SecretRule } from '../rule.ts';
import { genericRule, samplePassword } from './generic-rule.ts';

const quoted = (first: string, second: string) => `(?:"(?P<${first}>[^"\\n]{8,200})"|'(?P<${second}>[^'\\n]{8,200})')`;

/** A weak phrase signs sessions as well as a random key does, and is guessed sooner. */
const isInUse = ({ secret, path }: SecretCandidate) =>
  !isPlaceholder(secret) && !['document', 'ignored'].includes(fileKind(path)) && !/^[\w.]+\(|%s|\\x00/.test(secret);

const sampleId = ['6a174c20', 'f6de', 'a53c', '74d2', '6018fcceff64'].join('-');

/** Keys with which applications sign their sessions, and logins of machines. */
export const sessionKeyRules: SecretRule[] = [
  genericRule({
    id: 'session-signing-key',
    name: 'Key that signs sessions',
    risk: 'Anyone who reads it can forge the session of any user.',
    remediation: 'Create a new random key outside the repository; all sessions signed so far become invalid.',
    keywords: ['secret_key', 'session(', 'cookieparser(', 'cookie-session', 'cookiesession('],
    pattern: [
      `(?:\\.secret_key|secret_key["']\\]|^[ \\t]{0,8}secret_key)[ \\t]{0,4}=[ \\t]{0,4}[rbu]{0,2}${quoted('secret', 'secret2')}`,
      `cookieparser\\([ \\t]{0,4}${quoted('secret3', 'secret4')}`,
      `(?:session|cookiesession)\\([ \\t]{0,4}\\{[^{}]{0,200}\\b(?:secret|keys)[ \\t]{0,4}:[ \\t]{0,4}\\[?[ \\t]{0,4}${quoted('secret5', 'secret6')}`,
    ].join('|'),
    flags: 'i',
    accept: isInUse,
    matches: [
      { path: 'app.py', text: `app.secret_key = b"${samplePassword}"` },
      { path: 'app.py', text: `app.config['SECRET_KEY'] = 'you-will-never-guess'` },
      { path: 'app.js', text: `app.use(session({ resave: false, secret: 'keyboard cat' }));` },
      { path: 'app.js', text: `app.use(cookieParser("${samplePassword}"));` },
    ],
    misses: [
      { path: 'app.py', text: 'app.secret_key = os.environ["SECRET_KEY"]' },
      { path: 'app.py', text: 'app.secret_key = "change-me-please"' },
      { path: 'app.js', text: 'app.use(session({ secret: process.env.SESSION_SECRET }));' },
      { path: 'README.md', text: "app.use(session({ secret: 'keyboard cat' }))" },
      { path: 'app.py', text: 'db.session("read only session")' },
    ],
  }),
  genericRule({
    id: 'vault-approle-secret-id',
    name: 'HashiCorp Vault AppRole secret id',
    risk: 'With the role id, which is not secret, anyone who reads it gets the role’s tokens.',
    remediation:
      'Destroy the secret id (auth/approle/role/NAME/secret-id/destroy) and let the platform deliver a new one.',
    keywords: ['secret_id', 'secret-id', 'secretid'],
    pattern:
      'secret[_-]?id\\\\?["\']?[ \\t]{0,4}[:=][ \\t]{0,4}\\\\?["\']?(?P<secret>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})',
    flags: 'i',
    accept: ({ secret }) => !isPlaceholder(secret),
    matches: [
      {
        path: 'login.sh',
        text: `curl -d '{"role_id":"web","secret_id":"${sampleId}"}' "$VAULT_ADDR/v1/auth/approle/login"`,
      },
      { path: 'agent.env', text: `VAULT_SECRET_ID=${sampleId}` },
    ],
    misses: [
      { path: 'login.sh', text: 'secret_id=00000000-0000-0000-0000-000000000000' },
      { path: 'main.tf', text: 'secret_id = aws_secretsmanager_secret.db.id' },
    ],
  }),
];
