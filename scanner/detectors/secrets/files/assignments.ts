import type { CredentialKind } from '../credential-name.ts';
import { looksRandom } from '../credential-value.ts';
import { fileKind, isCode } from '../file-kind.ts';
import type { SecretCandidate, SecretRule } from '../rule.ts';
import {
  acceptBare,
  acceptQuoted,
  endsValue,
  isAssigned,
  isPasswordField,
  isProse,
  readAssignment,
} from './assignment-context.ts';

/** Parts of patterns that the assignment rules share. All have a bounded length, as anchored patterns require. */

const text = (quote: string, group: string): string =>
  `${quote}(?P<${group}>(?:[^${quote}\\\\\\r\\n]|\\\\[^\\r\\n]){1,400})${quote}`;

/** A quoted string in double, single or back quotes, or in escaped quotes inside another string. */
const quotedValue = `(?:${text('"', 'secret')}|${text("'", 'secret2')}|${text('`', 'secret3')}|\\\\{1,3}["'](?P<secret4>[^"'\\\\\\r\\n]{1,400})\\\\{1,3}["'])`;

/** A word without quotes, excluding punctuation at its end. */
const bareValue =
  '(?P<secret>[^\\s"\'`<>(){}\\[\\],;&|\\\\](?:(?:[^\\s"\'`\\\\]|\\\\[^nrt\\s"\'`]){0,300}[^\\s"\'`,;)\\]}\\\\])?)';

/** The rest of a name after the keyword at the start of the pattern. */
const nameTail = '[\\w.-]{0,40}';

/** The end of a name: `"name"`, `['name']`, `name[]`, `{name}`. */
const nameEnd = '(?:\\\\{1,3}["\']|["\'`\\]})]){0,3}(?:\\[[0-9]{0,4}\\])?';

/** A declared type between name and value: `: string =`, ` string =`, `: &str =`. */
const declaredType =
  "(?:\\?{0,1}:?[ \\t]{0,4}[&*\\[\\]]{0,3}['A-Za-z][\\w.<>\\[\\]|?*& ]{0,30}=|\\{ ?get; ?(?:[a-z]{3,9} )?(?:set|init); ?\\} ?=)";

const operator = '(?:=>|->|<-|:=|!?={1,3}|\\?=|\\|\\|=?|\\?\\?=?|:|,|\\(|\\bor\\b|\\beq\\b)';

/** Wrappers that don't change their text. */
const wrapper =
  '(?:[brufLN@$]{1,2}|\\[[ \\t]{0,4}|(?:new[ \\t]{1,3})?(?:SecretString|SecretStr|SecureString|Secret|String|Buffer\\.from|String::from|\\[\\]byte|bytes|Some|str|base64\\.b64decode|Password|Optional\\.of|pulumi\\.secret|ConvertTo-SecureString(?:[ \\t]{1,4}-String)?|(?:[\\w.]{0,20}env(?:iron)?(?:\\.get|\\.fetch|\\.str)?|config)\\([^,()\\n]{1,60},(?:[ \\t]{0,4}default=)?)[ \\t(]{0,4})?';

const assignTo = `${nameEnd}[ \\t]{0,40}(?:${declaredType}|${operator})[ \\t]{0,40}${wrapper}`;
const assignToBare = `${nameEnd}[ \\t]{0,40}(?:=>|:=|\\?=|=|:)[ \\t]{0,40}(?:[|>][-+]?[ \\t]{0,4}\\r?\\n[ \\t]{1,20})?`;

/**
 * `name="password" … value="…"`, `"name": "password", "value": "…"`, `- name: PASSWORD⏎ value: …`, `variable "password"
 * { default = … }`.
 */
const pairTo =
  '["\']?(?:[ \\t]{1,20}(?:[\\w:.-]{1,30}=["\'][^"\'<>\\n]{0,60}["\'][ \\t]{1,8}){0,3}|[ \\t]{0,4}[,:]?\\s{0,60}-?[ \\t]{0,4}(?:\\w{1,20}:[ \\t][^\\n"\']{0,80}\\n\\s{1,20}){0,4}["\']?|[ \\t]{0,4}\\{[^{}]{0,300}?)(?:[Vv]alue|VALUE|val|content|default|[Dd]efaultValue|[Ss]tringValue|[Dd]ata)["\']?[ \\t]{0,8}[:=][ \\t]{0,8}';

/**
 * Spans from the name of a tag or its attribute to the text of the element, or of the next `string` or `value` element.
 */
const elementTo =
  '(?:["\'][^<>\\n]{0,100}|[ \\t][^<>\\n]{0,100})?(?:>|</(?:key|name|Key|Name)>)(?:\\s{0,40}<(?:string|value|String|Value)>)?[ \\t\\r\\n]{0,40}(?:<!\\[CDATA\\[)?';
const elementValue = '(?P<secret>[^<>\\s](?:[^<>\\r\\n]{0,398}[^<>\\s])?)(?:\\]\\]>)?[ \\t\\r\\n]{0,40}</';

type Form = {
  suffix: string;
  pattern: string;
  accept: (kind: CredentialKind, candidate: SecretCandidate) => boolean;
  proof: Proof;
};
type Proof = { matches: (name: string, secret: string) => Array<{ path: string; text: string }> };

/** Samples, assembled at run time. */
const samplePassword = ['Vq7', 'mz!', 'Lw2', 'kd'].join('');
const sampleSecret = ['9fK2', 'qLx7', 'VbN4', 'tRw8', 'Zp3c'].join('');

const forms: Form[] = [
  {
    suffix: '',
    pattern: `${nameTail}${assignTo}${quotedValue}`,
    accept: acceptQuoted,
    proof: {
      matches: (name, secret) => [
        { path: 'src/main.py', text: `${name} = "${secret}"` },
        { path: 'app/config.php', text: `'${name}' => '${secret}',` },
        { path: 'settings.json', text: `{"${name}": "${secret}"}` },
      ],
    },
  },
  {
    suffix: '-unquoted',
    pattern: `${nameTail}${assignToBare}${bareValue}`,
    accept: acceptBare,
    proof: {
      matches: (name, secret) => [
        { path: '.env', text: `${name}=${secret}` },
        { path: 'app.yml', text: `${name}: ${secret} # old` },
      ],
    },
  },
  {
    suffix: '-pair',
    pattern: `${nameTail}${pairTo}(?:${quotedValue}|${bareValue.replace('<secret>', '<secret5>')})`,
    accept: acceptPair,
    proof: {
      matches: (name, secret) => [
        { path: 'web.config', text: `<add key="${name}" value="${secret}" />` },
        { path: 'deploy.yaml', text: `- name: ${name}\n  value: ${secret}\n` },
      ],
    },
  },
  {
    suffix: '-element',
    pattern: `${nameTail}${elementTo}${elementValue}`,
    accept: acceptElement,
    proof: {
      matches: (name, secret) => [
        { path: 'settings.xml', text: `<${name}>${secret}</${name}>` },
        { path: 'Info.plist', text: `<key>${name}</key>\n<string>${secret}</string>` },
      ],
    },
  },
  {
    suffix: '-argument',
    pattern: `${nameTail}["']?[ \\t]{1,20}(?:${quotedValue}|${bareValue.replace('<secret>', '<secret5>')})`,
    accept: acceptSpaced,
    proof: {
      matches: (name, secret) => [
        { path: 'deploy.sh', text: `tool --${name} ${secret} --verbose` },
        { path: 'Dockerfile', text: `ENV ${name} ${secret}` },
      ],
    },
  },
];

function acceptPair(kind: CredentialKind, candidate: SecretCandidate): boolean {
  const assignment = readAssignment(candidate);
  if (isPasswordField(assignment)) return false;
  if ((fileKind(candidate.path) === 'source' || isCode(candidate.path)) && !assignment.quoted) return false;
  if (!assignment.quoted && !endsValue(assignment.after)) return false;
  return isAssigned(kind, assignment, candidate.path);
}

function acceptElement(kind: CredentialKind, candidate: SecretCandidate): boolean {
  const assignment = readAssignment(candidate);
  // Only tags: a generic type such as `a<Token>b</` does not start with the name.
  return (
    /<[^<>]*$|<\w{1,20}>\s*$|^\s*$/.test(assignment.before) &&
    isAssigned(kind, { ...assignment, quoted: true }, candidate.path)
  );
}

const leadingWords =
  /^\s*(?:(?:ENV|ARG|SetEnv|PassEnv|export|set|setenv|setx|env|config|property|Option|default|(?:machine|user|login|poll|host|server)\s.*|default\s.*)\s+)?$/i;

/** Formats in which the line `password word` is a setting, not prose. */
const spacedFormats =
  /(?:rc|netrc|authinfo|htaccess|[\w.-]*dockerfile[\w.-]*|config|\.(?:conf|cfg|cnf|ini|ovpn|netrc|env|sh))$/i;

/**
 * Accepts `--password value` anywhere, and `password value` on a separate line in formats that separate with spaces.
 */
function acceptSpaced(kind: CredentialKind, candidate: SecretCandidate): boolean {
  const assignment = readAssignment(candidate);
  const { before, name, after, quoted } = assignment;
  const file = fileKind(candidate.path);
  if (isProse(candidate.path) && !looksRandom(assignment.value)) return false;
  if (/^--?[a-z]/i.test(assignment.value) || /^\d+\/\w+$/.test(assignment.value)) return false;
  if (/^--?[a-z]/i.test(name)) {
    const prose = !quoted && file !== 'shell' && /^[a-z-]+[.,]?$/i.test(assignment.value);
    return (quoted || file !== 'source') && !prose && isAssigned(kind, assignment, candidate.path);
  }
  if (
    quoted &&
    (/^\s*#\s*define\s+$/.test(before) ||
      (/\.(?:gradle|groovy|rb)$/.test(candidate.path) && /^\s*$/.test(before)) ||
      (/\.(?:clj[sc]?|edn)$/.test(candidate.path) && before.endsWith(':')))
  ) {
    return isAssigned(kind, assignment, candidate.path);
  }
  if (file !== 'configuration' && file !== 'shell') return false;
  if (
    /\.(?:json5?|ya?ml|xml|toml|sql|csv|log|properties|php|py|rb|js|ts|pl|go|java|cs|exs?|gradle|kts?|csproj|targets|http|rest|list)$/i.test(
      candidate.path,
    )
  )
    return false;
  if (!quoted && /[.:]$/.test(assignment.value)) return false;
  if (!quoted && /^[a-z-]+$/i.test(assignment.value) && !spacedFormats.test(candidate.path)) return false;
  return leadingWords.test(before) && (quoted || endsValue(after)) && isAssigned(kind, assignment, candidate.path);
}

const kinds = [
  {
    kind: 'password' as const,
    id: 'generic-password',
    name: 'Password',
    keywords: ['pass', 'pwd', 'pswd', 'senha', 'contrasena', 'kennwort', 'pw', 'psk'],
    sampleName: 'db_password',
    sample: samplePassword,
    risk: 'Anyone who reads it can sign in to the account or service of the setting.',
    remediation: 'Change the password, then read it from the environment or a secret store.',
  },
  {
    kind: 'secret' as const,
    id: 'generic-secret',
    name: 'Secret, token or key',
    keywords: ['secret', 'token', 'key', 'auth', 'cred', 'salt', 'bearer', 'jwt', 'pepper', '_pat'],
    sampleName: 'api_secret',
    sample: sampleSecret,
    risk: 'Anyone who reads it can act as its application, or forge what the application signs.',
    remediation:
      'Revoke it where it was issued and create a new one, then read that from the environment or a secret store.',
  },
];

/** Values with telling names, in every notation of configuration files and source code. */
export const assignmentRules: SecretRule[] = kinds.flatMap((kind) =>
  forms.map((form) => ({
    id: `${kind.id}${form.suffix}`,
    name: kind.name,
    severity: 'high' as const,
    risk: kind.risk,
    remediation: kind.remediation,
    references: ['https://cwe.mitre.org/data/definitions/798.html'],
    keywords: kind.keywords,
    pattern: `(?:${kind.keywords.join('|')})${form.pattern}`,
    flags: 'i' as const,
    anchored: true,
    generic: true,
    accept: (candidate: SecretCandidate) => form.accept(kind.kind, candidate),
    matches: form.proof.matches(kind.sampleName, kind.sample),
    misses: form.proof
      .matches(kind.sampleName, '${' + 'VALUE}')
      .concat(form.proof.matches(kind.sampleName, 'changeme')),
  })),
);
