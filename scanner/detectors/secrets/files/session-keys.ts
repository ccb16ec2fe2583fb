import { isPlaceholder } from '../placeholders.ts';
import type { SecretRule } from '../rule.ts';
import { genericRule, samplePassword } from './generic-rule.ts';
import { isSigningKey, quotedKey } from './signing-value.ts';

const sampleId = ['6a174c20', 'f6de', 'a53c', '74d2', '6018fcceff64'].join('-');

/** Keys with which applications sign their sessions, and machine logins. */
export const sessionKeyRules: SecretRule[] = [
  genericRule({
    id: 'session-signing-key',
    name: 'Key that signs sessions',
    risk: 'Anyone who reads it can forge the session of any user.',
    remediation: 'Create a new random key outside the repository; all sessions signed so far become invalid.',
    keywords: [
      ...['secret_key', 'session(', 'cookieparser(', 'cookie-session', 'cookiesession(', 'app.keys', 'session_secret'],
      ...['session::cookie', 'cookievalidationkey', 'encryption_key', 'rememberme', 'cookiestore(', 'cookie.newstore('],
      ...['securecookie.new(', 'csrf.protect(', 'validationkey'],
    ],
    pattern: [
      `(?:\\.secret_key|secret_key["']\\]|^[ \\t]{0,8}secret_key|secret_key_base)[ \\t]{0,4}=[ \\t]{0,4}[rbu]{0,2}${quotedKey(0)}`,
      `cookieparser\\([ \\t]{0,4}${quotedKey(2)}`,
      `(?:session|cookiesession)\\([ \\t]{0,4}\\{[^{}]{0,200}\\b(?:secret|keys)[ \\t]{0,4}:[ \\t]{0,4}\\[?[ \\t]{0,4}${quotedKey(4)}`,
      `(?:from_mapping|config\\.update|sessionmiddleware)[(,][^()]{0,200}\\bsecret_key[ \\t]{0,4}=[ \\t]{0,4}${quotedKey(6)}`,
      `app\\.keys[ \\t]{0,4}=[ \\t]{0,4}\\[[ \\t]{0,4}${quotedKey(8)}`,
      `:session_secret,[ \\t]{0,4}${quotedKey(10)}`,
      `session::cookie,[^\\n]{0,120}\\bsecret(?::|[ \\t]{0,4}=>)[ \\t]{0,4}${quotedKey(12)}`,
      `(?:cookievalidationkey["'][ \\t]{0,4}=>|encryption_key["']\\][ \\t]{0,4}=)[ \\t]{0,4}${quotedKey(14)}`,
      `rememberme\\([^"'\\n]{0,40}\\.key\\([ \\t]{0,4}${quotedKey(16)}`,
      `(?:cookiestore|cookie\\.newstore|securecookie\\.new|csrf\\.protect)\\([ \\t\\r\\n]{0,20}\\[\\]byte\\(${quotedKey(18)}`,
      `validationkey[ \\t]{0,4}=[ \\t]{0,4}${quotedKey(20)}`,
    ].join('|'),
    flags: 'i',
    accept: (candidate) => isSigningKey(candidate) && !/^autogenerate/i.test(candidate.secret),
    matches: [
      { path: 'app.py', text: `app.secret_key = b"${samplePassword}"` },
      { path: 'app.py', text: `app.config['SECRET_KEY'] = 'you-will-never-guess'` },
      { path: 'app.py', text: "app.config.from_mapping(DEBUG=True, SECRET_KEY='dev')" },
      { path: 'app.py', text: "app.add_middleware(SessionMiddleware, secret_key='dev')" },
      { path: 'app.js', text: `app.use(session({ resave: false, secret: 'keyboard cat' }));` },
      { path: 'app.js', text: `app.use(cookieParser("${samplePassword}"));` },
      { path: 'app.js', text: "app.keys = ['secret'];" },
      { path: 'app.rb', text: "set :session_secret, 'super secret'" },
      { path: 'config.ru', text: "use Rack::Session::Cookie, key: 'rack.session', secret: 'secret'" },
      { path: 'config/web.php', text: `'cookieValidationKey' => '${samplePassword}',` },
      { path: 'A.java', text: 'http.rememberMe().key("uniqueAndSecret")' },
      { path: 'main.go', text: 'store := cookie.NewStore([]byte("secret"))' },
      { path: 'main.go', text: 'var store = sessions.NewCookieStore([]byte("secret"))' },
    ],
    misses: [
      { path: 'app.py', text: 'app.secret_key = os.environ["SECRET_KEY"]' },
      { path: 'app.py', text: 'app.secret_key = "change-me-please"' },
      { path: 'app.py', text: '"""Configure it:\n\n    SECRET_KEY = \'development key\'\n"""' },
      { path: 'app.js', text: "// app.use(session({ secret: 'keyboard cat' }))" },
      { path: 'app.js', text: `throw new Error('cookieParser("secret") required');` },
      { path: 'test/app.js', text: "app.use(session({ secret: 'keyboard cat' }))" },
      { path: 'web.config', text: '<machineKey validationKey="AutoGenerate,IsolateApps" />' },
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
