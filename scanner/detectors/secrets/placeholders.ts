import { wordsOf } from './credential-name.ts';

/** A reference to a value elsewhere: template variables, environment look-ups, vault paths, encrypted values. */
const references = [
  /\$\{|\$\(|\{\{|\}\}|<%|%>|#\{|@\{|\[\[|\{%|\$\[|@@\w+@@|%\(\w+\)|^%[\w.]+%?$|%[sdv@](?![\w])|^\$\$?[A-Za-z_][\w.:-]*\$?$|^\{\d?\w{0,20}\}$|^__\w+__$|^:\w+$|^@[\w.-]+@?$|^&\w+$|^\*\w+$|^~$|^[A-Z]{2,}(?::[A-Z]{2,})+$/,
  /^<[^>]*>?$|^\[[^\]]*\]?$|^\{[\w .:-]{0,24}\}$|^\(.*\)$|^\$\w+(?:[[{.>-].*)?$/,
  /process\.env|import\.meta|os\.environ|getenv|\bENV\[|System\.(?:getenv|getProperty|Environment)|Environment\.|config\.(?:get|fetch)|Deno\.env|std::env|secrets?\.[A-Za-z_]/,
  /^(?:vault|secret|secrets|ssm|awssm|gcpsm|op|ref\+\w+|secretsmanager|keyvault|env|file|data|arn|projects|kms|bw|pass|lookup|doppler|infisical|azurekeyvault|credentials?|secret_?(?:key_?)?ref|value_?from|keyring|keychain)(?::|:\/\/|\/)\S*/i,
  /^(?:ENC\[|ENC\(|\$ANSIBLE_VAULT|\{cipher\}|encrypted:|AQICA|!vault|!Ref|!Sub|!secret|!env|!reference|!ImportValue|Ag[AB][A-Za-z0-9+/]{200})/,
  /^(?:resolve|output|module|var|local|data|each|self|this|params?|props|config|settings|options|opts|args|request|req|state|context|ctx|process|os|env|environment|credentials?|secrets?|user|account)\.[A-Za-z_][\w.[\]]*$/i,
];

/** The code between two strings rather than one: `"a" + name + "b"`, `'a'.$b.'c'`, `"'$NAME'"`, `"a", label: "b"`. */
const joined =
  /^['"]?\s{0,2}(?:\+\s{0,2}[A-Za-z_$][\w.$]*|\.\s{0,2}\$\w+|\$\w+['"]?$|,\s{0,4}\w+\s{0,2}[:=])|^['"]?\+$/;

/** Letters and digits in turn, in their order, and repeated digits: `a1b2c3d4`, `1a2b3c4d`, `123412341234`. */
const inTurn = /(\d{3,6})\1{2}|a1b2c3d4|d4c3b2a1|1a2b3c4d/i;

const filler =
  /^(?:none|null|nil|nul|undefined|true|false|yes|no|on|off|empty|blank|na|n\/a|unknown|unset|notset|default|string|str|text|char|varchar|number|integer|int|bool|boolean|object|array|value|any|void|required|optional|auto|generated|random|todo|tbd|tba|fixme|foo|bar|baz|qux|foobar|foobarbaz|blah|asdf|xyz|abc|test|testing|tests|sample|example|examples|demo|dummy|fake|mock|stub|placeholder|redacted|masked|hidden|removed|sanitized|censored|obfuscated|omitted|stripped|deleted|private|confidential|classified|changeme|changeit|change|replaceme|fillme|insert|enter|secret|secrets|password|passwords|passwd|passwort|passphrase|pwd|pass|token|tokens|key|keys|apikey|credential|credentials|auth|username|user|login|email|name|bearer|basic|digest|oauth|oauth2|jwt|plain|plaintext|cleartext|md5|sha1|sha256|sha512|bcrypt|hash|salt|undef|nan|prompt|ask|stdin|env|environment|keychain|keyring|vault|file|files|compat|disabled|enabled|localhost|anonymous|scramsha256|base64|utf8|ascii|latin1|enus|engb|invalid|wrong|incorrect|bogus|nothing|something|whatever|anything|somevalue|here|mytoken|mykey|mysecret|thisisnotasecret|notasecret|nopassword|secretpassword|noneofyourbusiness)$/;

const fillerInside =
  /change[-_ ]?(?:me|it|this|your)|placeholder|redacted|(?:^|[^a-z])your(?:s?$|[^a-z]|own|pass|secret|token|key|api|user|db|app|strong|super|very)|please|dummy|fake|mock|example|(?:^|[-_ .])sample(?:$|[-_ .])|insert[-_ ]|replace[-_ ]?(?:me|this|with|by|in|your|it)|(?:^|[-_ ])todo(?:$|[-_ ])|fixme|fill[-_ ]?(?:me|in)|put[-_ ]?(?:your|here|in)|(?:^|[-_ ])here$|goes[-_ ]?here|enter[-_ ](?:your|the|a)|to[-_ ]be[-_ ]|not[-_ ]?a?[-_ ]?real|not[-_ ]?(?:set|used|needed|required|valid|secret|available|applicable|secure)|secret[-_ ]?(?:name|key)[-_ ]?ref|lorem|deadbeef|xxxx|x{3}[-_]x{3}|0000000|1234567890abc|abcdefgh|abcdef0?12345|0123456789abc|(?:^|[-_])(?:some|any|my[-_]?own|my[-_]?fancy|my[-_]?super|super[-_]?)[-_](?:secret|token|password|key)|^(?:my|the|a|an|some|this)[-_ ].*(?:password|passwd|secret|token|key|credential)s?(?:[-_ ]?here)?$|^(?:test|sample|demo|foo|bar|example|mock)[-_ ]?(?:password|passwd|pass|pwd|secret|token|key|api[-_]?key|user|value|auth|123)?$|invalid|not_?found|undefined|unspecified|generate|(?:^|[-_ ])(?:none|null|nil)$|^some-random-(?:string|key|secret|token|value)$|^[a-z]+-tests?$/i;

const masks = /\.{3}|…|\*{3}|_{4}|#{4}|-{4}|={5}|•|<[\w .-]+>|x{4}|0{7}/i;

/** Placeholders in files that contain only credentials, where words are passwords. */
const leftOut =
  /^(?:change[-_]?(?:me|it|this).*|replace[-_]?me.*|your[-_]?\w+|insert[-_].*|enter[-_].*|todo|tbd|none|null|nil|undefined|empty|prompt|ask|placeholder|redacted|removed|masked|hidden|x{3,}|\*+|\.+|-+|_+)$/i;

const pipelines =
  /(?:^|\/)(?:\.github\/workflows\/|\.circleci\/|\.woodpecker|\.gitlab-ci|\.travis\.yml$|\.drone\.yml$|azure-pipelines|bitbucket-pipelines|tox\.ini$)/i;
const serviceDefaults =
  /^(?:root|admin|guest|postgres(?:ql)?|mysql|mariadb|mongo(?:db)?|redis|rabbitmq|minio(?:admin)?|oracle|elastic|sa|tests?|p[a@]ss(?:w[o0]rd)?\d{0,3}!?)$/i;

/** Returns whether the value is the usual password of a service that a pipeline starts for a job and then discards. */
export const isServiceDefault = (value: string, path: string): boolean =>
  serviceDefaults.test(value) && pipelines.test(path);

/** Returns whether a value that is surely meant as a credential is a reference or a blank. */
export function isLeftOut(value: string): boolean {
  const text = value.trim();
  return text === '' || references.some((pattern) => pattern.test(text)) || leftOut.test(text) || masks.test(text);
}

/**
 * Returns whether `value` is a placeholder for a secret: a template variable, a reference, a filler word, a mask, a
 * sequence.
 */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  if (references.some((pattern) => pattern.test(text)) || joined.test(text)) return true;
  if (inTurn.test(text)) return true;
  const bare = text.toLowerCase().replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  if (bare === '' || filler.test(bare) || filler.test(bare.replace(/[-_ .]/g, ''))) return true;
  // Laravel's conditions for a field, and the secret of RFC 6238's usual example.
  if (
    /^(?:required(?:_\w+)?|nullable|sometimes|string|confirmed|min|max)[|:]|\|(?:required|confirmed|min:|max:)/.test(
      bare,
    )
  )
    return true;
  if (/^(?:jbswy3dpehpk3pxp)+$/.test(bare)) return true;
  // Compares word by word: otherwise a random token that happens to contain `duMMy` would count as a placeholder.
  return masks.test(text) || fillerInside.test(wordsOf(text).join('-')) || isMonotonous(text);
}

/** Matches `xxxxxx`, `111-111`, `abcabcabc`, `abcdefg`, `0123456789abcdef`, which are not secrets. */
export function isMonotonous(value: string): boolean {
  const text = value.toLowerCase().replace(/[-_. :]/g, '');
  if (new Set(text).size <= (text.length >= 12 ? 3 : text.length >= 6 ? 2 : 1)) return true;
  for (let period = 1; period <= Math.min(4, text.length / 3); period += 1) {
    if (
      text ===
      text
        .slice(0, period)
        .repeat(Math.ceil(text.length / period))
        .slice(0, text.length)
    )
      return true;
  }
  return text.length >= 7 && sequentialShare(text) > 0.75;
}

function sequentialShare(text: string): number {
  let steps = 0;
  for (let index = 1; index < text.length; index += 1) {
    const step = text.charCodeAt(index) - text.charCodeAt(index - 1);
    if (step === 1 || step === -1 || (step === 0 && index > 1)) steps += 1;
  }
  return steps / (text.length - 1);
}
