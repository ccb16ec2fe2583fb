import type { SecretRule } from '../rule.ts';
import { genericRule, samplePassword } from './generic-rule.ts';
import { isSigningKey, quotedKey } from './signing-value.ts';

const gap = '[ \\t]{0,4}';
const text = '["\'][^"\'\\n]{0,200}["\']';
const anyArgument = `(?:${text}|\\{[^{}\\n]{0,120}\\}|[\\w.$:>\\[\\]()-]{1,80})[ \\t\\r\\n]{0,40},[ \\t\\r\\n]{0,40}`;
/** Settings that contain the key itself. */
const names =
  'jwt_?secret(?:_?key)?|jwt_?(?:signing_?|private_?)?key|(?:access_?|refresh_?)?token_?secret|session_?secret|cookie_?secret|signing_?secret|hmac_?secret|app_?secret_?key';
const setting = '[\\w.:]{0,40}(?:secret|jwt[_:]?key|session_?key|app_?key|signing_?key)[\\w.:]{0,20}';

const rotate = 'Create a new secret outside the repository; all tokens issued so far become invalid.';

/** Keys with which applications sign tokens, however weak. */
export const tokenSecretRules: SecretRule[] = [
  genericRule({
    id: 'jwt-signing-secret',
    name: 'JSON web token signing secret',
    risk: 'Anyone who reads it can create tokens that the application accepts, for any user.',
    remediation: rotate,
    keywords: [
      ...['jwt.', 'jwt::', 'signwith(', 'setsigningkey(', 'hmac256(', 'hmac384(', 'hmac512(', 'hmacshakeyfor('],
      ...['symmetricsecuritykey(', 'signedstring(', 'secretorkey', 'jwt(', 'jwt,', 'jwtmodule'],
    ],
    pattern: [
      `jwt(?:\\.|::)(?:sign|verify|encode|decode)(?:async)?\\(${anyArgument}(?:new key\\()?${quotedKey(0)}`,
      `(?:signwith|setsigningkey)\\([^"'\\n]{0,60}${quotedKey(2)}`,
      `(?:hmac(?:256|384|512)|hmacshakeyfor)\\(${gap}${quotedKey(4)}`,
      `symmetricsecuritykey\\([ \\t\\r\\n]{0,40}(?:[\\w.]{1,40}\\.getbytes\\(${gap})?${quotedKey(6)}`,
      `signedstring\\(${gap}\\[\\]byte\\(${quotedKey(8)}`,
      `secretorkey["']?${gap}:${gap}${quotedKey(10)}`,
      `jwt(?:module\\.register)?["')]{0,3}[(,][ \\t\\r\\n]{0,20}\\{[^{}]{0,120}\\bsecret${gap}:${gap}${quotedKey(12)}`,
    ].join('|'),
    flags: 'i',
    accept: isSigningKey,
    matches: [
      { path: 'a.js', text: `jwt.sign({ id }, '${samplePassword}')` },
      { path: 'a.js', text: "jwt.verify(token, 'secret')" },
      { path: 'a.rb', text: `JWT.encode(payload, '${samplePassword}', 'HS256')` },
      { path: 'a.php', text: "JWT::decode($jwt, new Key('secret', 'HS256'))" },
      { path: 'A.java', text: 'Jwts.builder().signWith(SignatureAlgorithm.HS512, "secret")' },
      { path: 'A.java', text: 'Algorithm.HMAC256("secret")' },
      { path: 'A.cs', text: 'new SymmetricSecurityKey(Encoding.UTF8.GetBytes("this is my custom key"))' },
      { path: 'a.go', text: 'token.SignedString([]byte("secret"))' },
      { path: 'a.ts', text: "JwtModule.register({ secret: 'secretKey', signOptions: {} })" },
    ],
    misses: [
      { path: 'a.js', text: 'jwt.sign({ id }, process.env.JWT_SECRET)' },
      { path: 'test/a.js', text: "jwt.sign({ id }, 'secret')" },
      { path: 'a.py', text: "jwt.decode(token, key, 'HS256')" },
      { path: 'a.js', text: "jwt.verify(token, 'public.pem')" },
    ],
  }),
  genericRule({
    id: 'signing-secret',
    name: 'Secret that signs tokens or sessions',
    risk: 'Anyone who reads it can sign in as any user.',
    remediation: rotate,
    keywords: [
      'jwt',
      'token_secret',
      'tokensecret',
      'session_secret',
      'sessionsecret',
      'cookie_secret',
      'cookiesecret',
      'signing_secret',
      'signingsecret',
      'hmac_secret',
      'hmacsecret',
      'app_secret_key',
      'appsecretkey',
    ],
    pattern: `\\b(?:${names})["'\\]]{0,2}${gap}(?::${gap}(?:string|str)${gap})?(?::=|=>|=|:)${gap}[rbu]{0,2}(?:\\[\\]byte\\()?${quotedKey(0)}`,
    flags: 'i',
    accept: (candidate) => isSigningKey(candidate) && !echoes(candidate.secret),
    matches: [
      { path: 'auth.js', text: "const JWT_SECRET = 'secret';" },
      { path: 'auth.go', text: 'var jwtKey = []byte("my_key_1")' },
      { path: 'Auth.java', text: `private static final String JWT_SECRET = "${samplePassword}";` },
      { path: 'auth.ts', text: "private readonly sessionSecret: string = 'keyboard cat';" },
    ],
    misses: [
      { path: 'auth.js', text: "const JWT_SECRET = 'JWT_SECRET';" },
      { path: 'auth.js', text: "const JWT_SECRET_KEY = 'jwt.secret';" },
      { path: 'auth.js', text: "const jwtKey = 'jwt';" },
      { path: 'auth.js', text: 'const JWT_SECRET = process.env.JWT_SECRET;' },
    ],
  }),
  genericRule({
    id: 'signing-key-fallback',
    name: 'Signing key used when none is configured',
    severity: 'medium',
    risk: 'Where the setting is missing, anyone who reads the code can forge tokens and sessions.',
    remediation: 'Refuse to start without the setting, and create a new key wherever the fallback was in use.',
    keywords: ['secret', 'jwt_key', 'jwtkey', 'jwt:key', 'session_key', 'app_key', 'signing_key', 'signingkey'],
    pattern: [
      `env(?:\\.|\\[["'])${setting}(?:["']\\])?${gap}(?:\\|\\||\\?\\?)${gap}${quotedKey(0, 100)}`,
      `(?:getenv|environ\\.get|\\benv|\\bconfig|env\\.str|fetch|getordefault|getenvordefault|setdefault)\\(${gap}["']${setting}["']${gap},${gap}(?:default${gap}=${gap})?${quotedKey(2, 100)}`,
      `(?:getenv|env|variable|configuration|config)[(\\[]${gap}["']${setting}["'][)\\]]${gap}(?:\\|\\||\\?\\?|\\?:|or)${gap}${quotedKey(4, 100)}`,
      `\\$\\{${setting}:(?P<secret6>[^}\\s"'$#{]{3,100})\\}`,
    ].join('|'),
    flags: 'i',
    accept: (candidate) => isSigningKey(candidate) && !isOther(candidate),
    matches: [
      { path: 'app.js', text: "session({ secret: process.env.SESSION_SECRET || 'keyboard cat' })" },
      { path: 'app.py', text: 'SECRET_KEY = os.environ.get("SECRET_KEY", "dev-key")' },
      { path: 'app.rb', text: 'ENV.fetch("SESSION_SECRET", "development")' },
      { path: 'app.php', text: "'key' => env('APP_KEY', 'some-random-string')," },
      { path: 'A.java', text: '@Value("${jwt.secret:mySecretKey}")' },
      { path: 'A.cs', text: 'var key = builder.Configuration["Jwt:Key"] ?? "a-long-development-key";' },
    ],
    misses: [
      { path: 'app.js', text: "process.env.SESSION_SECRET || ''" },
      { path: 'app.js', text: "process.env.AWS_SECRET_ACCESS_KEY || 'test'" },
      { path: 'app.py', text: 'os.environ.get("SECRET_KEY")' },
      { path: 'A.java', text: '@Value("${jwt.secret:#{null}}")' },
    ],
  }),
];

/** The name of the setting or the header in place of a key. */
const echoes = (value: string) =>
  /^(?:jwt|token|session|cookie|auth|authorization|access_?token|refresh_?token|bearer|x-[\w-]+)$/i.test(value);

const isOther = ({ text, matchStart, start }: { text: string; matchStart: number; start: number }) =>
  /aws|s3|azure|google|github|gitlab|facebook|twitter|stripe|slack|client|oauth|smtp|mail|access_?key|webhook|recaptcha|captcha/i.test(
    text.slice(matchStart, start),
  );
