import { isTestPath } from '../../../../findings/test-path.ts';
import { fileKind } from '../file-kind.ts';
import { isPlaceholder } from '../placeholders.ts';
import type { SecretCandidate, SecretRule } from '../rule.ts';
import { genericRule, samplePassword } from './generic-rule.ts';

const text = (group: number) =>
  `[rbu]{0,2}(?:"(?P<secret${group || ''}>[^"\\n]{6,200})"|'(?P<secret${group + 1}>[^'\\n]{6,200})')`;

function isInUse({ secret, path }: SecretCandidate): boolean {
  if (isPlaceholder(secret) || ['document', 'ignored'].includes(fileKind(path)) || isTestPath(path)) return false;
  // Known words of protocols (`WebAppData`), names of algorithms and formats are not keys.
  return !/^[\w.]+\(|%[sd]|\\x00|^sha\d|^[A-Za-z]+(?: [A-Za-z]+)*$|\s.*\s/.test(secret);
}

/** Keys that code passes as text to a function that signs. */
export const hmacKeyRules: SecretRule[] = [
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
      `createhmac\\([ \\t]{0,4}["'][\\w-]{2,20}["'],[ \\t]{0,4}${text(0)}[ \\t]{0,4}\\)`,
      `hmac\\.new\\([ \\t]{0,4}(?:key[ \\t]{0,4}=[ \\t]{0,4})?${text(2)}[ \\t]{0,4}[,)]`,
      `hmac\\.new\\([ \\t]{0,4}[\\w.]{2,30},[ \\t]{0,4}\\[\\]byte\\(${text(4)}\\)`,
      `hash_hmac\\([ \\t]{0,4}["'][\\w-]{2,20}["'],[ \\t]{0,4}[^,"'\\n]{1,80},[ \\t]{0,4}${text(6)}`,
      `hmac\\.(?:hex)?digest\\([ \\t]{0,4}[^,\\n]{1,60},[ \\t]{0,4}${text(8)}[ \\t]{0,4},`,
      `secretkeyspec\\([ \\t]{0,4}${text(10)}\\.getbytes`,
      `cookiestore\\([ \\t]{0,4}\\[\\]byte\\(${text(12)}\\)`,
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
