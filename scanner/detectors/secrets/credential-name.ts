/** The kind of value that a setting's or variable's name implies. */
export type CredentialKind = 'password' | 'secret';

const passwordWords =
  /^(?:(?!bypass|compass|trespass|surpass|encompass|nopass)\w*pass(?:w(?:or[dt]s?|d|rd)?|phrase|wrd|code)?|\w*(?:pwd|pswd|passwds?|passcode|kennwort|contrasena|motdepasse|mdp|senha|parola|wachtwoord)|psk|(?:bind|root|admin|db|user|smtp|ftp|mail|vnc|sql|my)?pw|psw|pword)$/;
const secretWords =
  /^(?:\w*secrets?|\w*tokens?|\w*apikeys?|\w*(?:access|secret|private|account|auth|app|api|master|encryption|signing|session|consumer|client|storage|license|shared|service|admin|crypto|aes|hmac|jwt|cipher|encrypt|sign|stripe|webhook|deploy|cookie|security|function|subscription|integration|ingest|server|site|write|read|validation|decryption)keys?|credentials?|creds?|auth|masterauth|\w*authorization|bearer|salt|pepper|jwt)$/;
const keyQualifiers =
  /^(?:api|app|application|access|secret|private|priv|auth|authentication|account|master|encryption|encrypt|encrypted|crypt|crypto|cipher|signing|sign|signature|session|consumer|client|storage|license|shared|service|admin|aes|des|hmac|jwt|rsa|ssh|token|security|secure|stripe|webhook|deploy|cookie|base|hash|kms|maps?|google|aws|azure|s3|sas|user|db|twilio|sendgrid|mailgun|firebase|algolia|datadog|newrelic|rollbar|logged|nonce|write|read|server|ingest|function|host|subscription|integration|vault|unseal|root|passphrase|dev|prod|validation|decryption|password|rails|django|flask|laravel|wp)$/;
/** Words after the credential word that don't change its meaning. */
const trailing =
  /^(?:\d+|prod|production|dev|development|stage|staging|test|testing|live|old|new|main|primary|secondary|default|value|val|str|string|raw|plain|plaintext|cleartext|text|base64|b64|base|env|var|one|two|a|b|hex|bytes|data|literal|current|previous|master|slave|ro|rw|clear|unencrypted)$/;
/** Words before it that change its meaning. */
const disarming =
  /^(?:public|pub|publishable|csrf|xsrf|page|continuation|cancel|cancellation|foreign|cache|sort|partition|forgot|reset|change|invalid|wrong|confirm|no|show|hide|toggle|missing|bad|requires?|required|has|is|needs?|with|without|enable|disable|use|allow|min|max|expired?|hashed|encoded|pagination|next|syntax|lexer|parser|end|start|eof|keyword|input|placeholder|label|name|path|file|dir|url|uri|endpoint|header|type|digest|test_?id|lost|forgotten|enter|verify|check|validate|generate|ask|prompt|stop|punctuator|design|unexpected|column|field|mask|mock|mocked|fake|faked|dummy|stub|stubbed|bogus)$/;

/** Splits `dbPassword`, `DB_PASSWORD`, `db.password-2` and similar names into lower-case words. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/**
 * Returns the kind of value of a setting named `name`, or null if the name means something else (`passwordField`,
 * `forgotPassword`).
 */
export function credentialKind(name: string): CredentialKind | null {
  const words = wordsOf(name);
  let last = words.length - 1;
  while (last > 0 && trailing.test(words[last]!)) last -= 1;
  if (last < 0) return null;
  if (words.slice(Math.max(0, last - 2), last).some((word) => disarming.test(word))) return null;
  return kindOfWord(words, last);
}

function kindOfWord(words: string[], last: number): CredentialKind | null {
  const word = words[last]!;
  if (passwordWords.test(word)) return 'password';
  if (/^(?:phrase|word|wd|code)$/.test(word) && words[last - 1] === 'pass') return 'password';
  if (secretWords.test(word)) return 'secret';
  if (
    word === 'pat' &&
    /^(?:github|gitlab|gh|azure|ado|devops|access|read|write|ci|bot|deploy|personal)$/.test(words[last - 1] ?? '')
  )
    return 'secret';
  // The public half of a CAPTCHA's keys.
  if (word === 'key' && words[last - 1] === 'site') return null;
  if (/^keys?$/.test(word) && last > 0 && keyQualifiers.test(words[last - 1]!)) return 'secret';
  // Just `key`, and `partner_key`, may be the key of anything, so isCredential is stricter about its value.
  return word === 'key' ? 'secret' : null;
}

/** Returns whether a name is that of a key for an unknown purpose, as `partner_key` is and `api_key` is not. */
export function isUnknownKey(name: string): boolean {
  const words = wordsOf(name);
  while (words.length > 1 && trailing.test(words.at(-1)!)) words.pop();
  return words.length > 1 && words.at(-1) === 'key' && !keyQualifiers.test(words.at(-2)!);
}
