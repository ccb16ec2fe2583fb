import type { Severity } from '../../../contract/severity.ts';
import { looksRandom } from '../credential-value.ts';
import { isMonotonous } from '../placeholders.ts';
import type { SecretCandidate, SecretRule } from '../rule.ts';
import { shapeEntropy, shapePattern, shapePlaceholder, shapePrefix, shapeSample } from '../shape.ts';

/** Forms of text in which a token with a distinct format occurs. Every such rule must match all of them. */
const tokenTexts: Array<(secret: string) => string> = [
  (secret) => `export SERVICE_TOKEN=${secret}\nexport REGION=eu-1\n`,
  (secret) => `{\n  "token": "${secret}",\n  "retries": 3\n}\n`,
  (secret) => `production:\n  auth:\n    token: ${secret}\n    retries: 3\n`,
  (secret) => `const client = new Client('${secret}', { retries: 3 });\n`,
  (secret) => `curl -H "Authorization: Bearer ${secret}" https://api.service.test/v1/me\n`,
  (secret) => `<settings><token>${secret}</token></settings>\n`,
  (secret) => `fetch("https://api.service.test/v1?token=${secret}&page=2")\n`,
  (secret) => `client := NewClient(\`${secret}\`)\n`,
  (secret) => `    'token' => '${secret}',\n`,
  (secret) => `// was ${secret} until March\n`,
  (secret) => `{"log": "first line\\n${secret}\\nlast line"}\n`,
  (secret) => `Dim token As String = "${secret}"\r\n`,
  (secret) => `user:${secret}@service.test\n`,
  (secret) => secret,
];

/** Forms of assignment that reveal a credential without a distinct format, given the vendor's name in lower case. */
const vendorTexts: Array<(vendor: string, name: string, secret: string) => string> = [
  (vendor, name, secret) => `${upper(vendor)}_${upper(name)}=${secret}\nDEBUG=1\n`,
  (vendor, name, secret) => `export ${upper(vendor)}_${upper(name)}="${secret}"\n`,
  (vendor, name, secret) => `{\n  "${camel(vendor, name)}": "${secret}",\n  "retries": 3\n}\n`,
  (vendor, name, secret) => `${vendor}.${dotted(name)}: ${secret}\n`,
  (vendor, name, secret) => `  ${vendor}_${name} = '${secret}'\n`,
  (vendor, name, secret) => `${vendor}_${name} := "${secret}"\n`,
  (vendor, name, secret) => `    '${vendor}_${name}' => '${secret}',\n`,
  (vendor, name, secret) => `client.set${pascal(`${vendor}_${name}`)}("${secret}");\n`,
  (vendor, name, secret) => `<${camel(vendor, name)}>${secret}</${camel(vendor, name)}>\n`,
  (vendor, name, secret) => `<add key="${pascal(`${vendor}_${name}`)}" value="${secret}" />\n`,
  (vendor, name, secret) => `<string name="${vendor}_${name}">${secret}</string>\n`,
  (vendor, name, secret) => `<key>${pascal(`${vendor}_${name}`)}</key>\n\t<string>${secret}</string>\n`,
  (vendor, name, secret) => `${vendor}:\n  region: eu\n  ${name}: ${secret}\n`,
  (vendor, name, secret) => `- name: ${upper(vendor)}_${upper(name)}\n  value: "${secret}"\n`,
  (vendor, name, secret) => `ENV ${upper(vendor)}_${upper(name)} ${secret}\n`,
  (vendor, name, secret) => `define('${upper(vendor)}_${upper(name)}', '${secret}');\n`,
  (vendor, name, secret) => `key = os.environ.get("${upper(vendor)}_${upper(name)}", "${secret}")\n`,
  (vendor, name, secret) => `const val ${upper(vendor)}_${upper(name)}: &str = "${secret}";\n`,
  (vendor, name, secret) => `$config['${vendor}']['${name}'] = '${secret}';\n`,
  (vendor, name, secret) => `${upper(name)}_${upper(vendor)}=${secret}\n`,
  (vendor, name, secret) => `# ${vendor}\n${upper(name)}=${secret}\n`,
  (vendor, name, secret) => `https://api.${vendor}.test/v1/items?${name}=${secret}&page=2\n`,
  (vendor, name, secret) => `curl -H "X-${pascal(vendor)}-${pascal(name)}: ${secret}" https://service.test\n`,
  (vendor, name, secret) => `INSERT INTO settings VALUES ('${vendor}_${name}', '${secret}');\n`,
  (vendor, _name, secret) => `const client = ${vendor}('account', '${secret}');\n`,
  (vendor, name, secret) => `java -D${vendor}.${name}=${secret} -jar app.jar\n`,
  (vendor, name, secret) => `deploy --${vendor}-${name.replaceAll('_', '-')} ${secret} --wait\n`,
  (vendor, name, secret) => `{\\"${vendor}_${name}\\": \\"${secret}\\"}\n`,
  (vendor, name, secret) => `${vendor} = { region = "eu", ${name} = "${secret}" }\n`,
];

const upper = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '_');
const dotted = (text: string) => text.replaceAll('_', '.');
const pascal = (text: string) =>
  text.replace(/(?:^|[^A-Za-z0-9])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const camel = (vendor: string, name: string) => {
  const joined = pascal(`${vendor}_${name}`);
  return joined.charAt(0).toLowerCase() + joined.slice(1);
};

type Description = {
  id: string;
  name: string;
  severity: Severity;
  /** Completes "Anyone who has it can …". */
  can: string;
  /** Where to revoke it, in the product's terms. */
  revoke: string;
  references?: string[];
};

export type TokenSpec = Description & {
  /** One shape, or several of the same kind of credential. See shape.ts. */
  shapes: string | string[];
  /** Required if the shapes start with fewer than three literal characters, or with too common ones. */
  keywords?: string[];
  /** Whether every secret starts with one of `keywords`; true without them. */
  anchored?: boolean;
  minEntropy?: number;
  verify?: (secret: string) => boolean;
  /** For tokens with conditions in `verify` that a shape can't express. */
  sample?: () => string;
  /** The prefix is so short that it occurs in base64 and paths, so it needs stricter boundaries. */
  strict?: boolean;
  /** Text that may directly precede it, although it is part of a word: `/bot`. */
  after?: string;
  /** Near-misses in addition to those derived from the shape. */
  misses?: () => string[];
};

export type VendorSpec = Description & {
  /** The vendor's names, in lower case; matched in any case. */
  vendor: string[];
  /** The vendor's name is a common word: count it only as a whole word. */
  wholeWord?: boolean;
  /** The credential's names after the vendor's; any word for a credential by default. */
  names?: string[];
  shapes: string | string[];
  minEntropy?: number;
  verify?: (secret: string) => boolean;
  sample?: () => string;
  misses?: () => string[];
};

const credentialNames = ['key', 'token', 'secret', 'passw', 'pwd', 'auth', 'cred', 'bearer', 'api', 'access'];

function describe(spec: Description) {
  return {
    id: spec.id,
    name: spec.name,
    severity: spec.severity,
    risk: `Anyone who has it can ${spec.can}.`,
    remediation: `Revoke it in ${spec.revoke}, issue a new one and pass it to the program through a secret store. Then check the access log for use by others.`,
    ...(spec.references ? { references: spec.references } : {}),
  };
}

const listOf = (value: string | string[]) => (Array.isArray(value) ? value : [value]);
const alternatives = (shapes: string[]) => shapes.map(shapePattern).join('|');

/** Characters that would make the secret longer must not follow it. */
function endAfter(shapes: string[]): string {
  const base64 = shapes.some((shape) => /\{(?:b64:[\d-]+|pad)\}=*$/.test(shape));
  return base64 ? '(?:[^0-9A-Za-z_+/=-]|$)' : '(?:[^0-9A-Za-z_-]|$)';
}

const escapeWord = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Words and sequences that people write in place of a secret, and that almost never occur in random text of that
 * length.
 */
const filler =
  /x{5}|\*{3}|\.{3}|example|placeholder|redacted|changeme|replaceme|insert[-_]|your[-_]|dummy|sample|foobar|abcdefghij|0123456789abcdef|1234567890abcdef|01234567890|deadbeef|0{8}/i;
const isMadeUp = (secret: string) => filler.test(secret) || isMonotonous(secret);

/** The token must not be part of a longer word; an escape such as `\\n` or `%3D` is not part of a word. */
const escapeBefore = /(?:\\[nrtf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})$/;
const wordStart = '(?:\\b|\\\\[nrtf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})';
const strictStart = '(?:^|[^0-9A-Za-z_+/.-]|\\\\[nrtf])';

function startOf(strict: boolean, after?: string): string {
  const start = strict ? strictStart : wordStart;
  return after ? `(?:${start}|${escapeWord(after)})` : start;
}

function startsFreely({ text, start }: SecretCandidate, strict: boolean): boolean {
  const before = text.charAt(start - 1);
  if (strict ? !/[0-9A-Za-z_+/.-]/.test(before) : !/\w/.test(before)) return true;
  return escapeBefore.test(text.slice(Math.max(0, start - 6), start));
}

/** Builds a rule for a credential that its own characters identify. */
export function tokenRule(spec: TokenSpec): SecretRule {
  const shapes = listOf(spec.shapes);
  const [shape = ''] = shapes;
  const { strict = false } = spec;
  const anchored = spec.anchored ?? spec.keywords === undefined;
  const example = () => spec.sample?.() ?? shapeSample(shape);
  return {
    ...describe(spec),
    keywords: spec.keywords ?? [...new Set(shapes.map((each) => shapePrefix(each).toLowerCase()))],
    pattern: `${anchored ? '' : startOf(strict, spec.after)}(?<secret>${alternatives(shapes)})${endAfter(shapes)}`,
    anchored,
    minEntropy: spec.minEntropy ?? Math.min(...shapes.map(shapeEntropy)),
    ...(spec.verify ? { verify: spec.verify } : {}),
    accept: (candidate) => (!anchored || startsFreely(candidate, strict)) && !isMadeUp(candidate.secret),
    get matches() {
      return tokenTexts.map((text) => text(example()));
    },
    get misses() {
      const longer = shapePrefix(shape) === '' ? [] : [`Z${example()}`];
      const wrong = [shapePlaceholder(shape), shapeSample(shape, -1), ...longer, ...(spec.misses?.() ?? [])];
      return [...wrong.map((secret) => `token = "${secret}"\n`), `version = "${'0a1b2c3d4e'.repeat(4)}"\n`];
    },
  };
}

const anyOf = (words: string[]) => `(?i:${words.map(escapeWord).join('|')})`;

/**
 * Builds the rule for tokens with a checksum, and one for tokens with a wrong checksum: people test with invented
 * tokens and mistype real ones.
 */
export function checkedTokenRules(spec: TokenSpec & { verify(secret: string): boolean }): SecretRule[] {
  const rule = tokenRule(spec);
  const [shape = ''] = listOf(spec.shapes);
  const madeUp: SecretRule = {
    ...rule,
    id: `${rule.id}-unverified`,
    name: `${rule.name}, possibly made up`,
    severity: 'low',
    risk: `Its checksum is wrong, so it was probably invented or mistyped. A real one would let anyone ${spec.can}.`,
    remediation:
      'If it stands for a real token, look for that one. Otherwise accept the finding, or write a word instead.',
    verify: (secret) => !spec.verify(secret),
    matches: tokenTexts.map((text) => text(shapeSample(shape))),
    get misses() {
      return [rule.matches[0]!, `token = "${shapePlaceholder(shape)}"\n`];
    },
  };
  return [rule, madeUp];
}

/** From the vendor's name on the line (or in the section's heading) to the name of the credential. */
const sectionHead = '(?:[\\w .-]{0,20}["\'\\]}):={(\\[> \\t]{0,8}\\r?\\n(?:[^\\n]{0,80}\\n){0,2})?';
const toValue = [
  // Matches value="…" in XML, <string>…</string> in a property list, and value: … in a Kubernetes environment.
  '["\'][ \\t]{1,4}value[ \\t]{0,4}=[ \\t]{0,4}["\']',
  '</\\w{1,20}>\\s{0,40}<\\w{1,20}>',
  '["\']?,?\\s{1,40}["\']?value["\']?[ \\t]{0,8}[:=][ \\t]{0,8}["\']?',
  '[^\\n]{0,40}?["\'`=:>\\s,({\\[|]',
].join('|');

/**
 * Returns the RE2 source that finds `secret` (also an RE2 source) assigned to a name that contains one of `vendor`
 * followed by one of `names`: in shell, JSON, YAML, XML, property lists or any programming language, quoted or not, on
 * one line or under a section's heading. Directly after the vendor's name (`"datadog": "…"`, `tokenForDatadog = …`,
 * `twilio('account', '…')`), no other name is needed.
 */
function nearKeyword(vendor: string[], secret: string, names: string[] = credentialNames, end = endAfter([])): string {
  const named = `${sectionHead}[^\\n]{0,50}?${anyOf(names)}[\\w.-]{0,24}(?:${toValue})`;
  const bare = `["'\\])]{0,3}[ \\t]{0,10}(?:=>|:=|=|:|,|\\()[ \\t]{0,10}\\[?["'\`]?`;
  const second = `[\\w.]{0,30}\\(\\s{0,12}["'\`]?[\\w@.-]{1,60}["'\`]?,\\s{0,20}["'\`]`;
  return `${anyOf(vendor)}(?:${named}|${bare}|${second})(?<secret>${secret})${end}`;
}

/** Names of values that look like secrets but are not. */
const harmlessName =
  /commit|digest|checksum|(?:^|[^a-z])sha(?:\d|[^a-z])|hash(?!i)|revision|integrity|md5|etag|fingerprint|public|publishable|[a-z_.-]version/i;

/**
 * Short or common names occur inside other words (`tornado_`, `export`), so they must be a whole word or camel-case
 * part. All others must start one.
 */
function isVendorWord({ text, matchStart }: SecretCandidate, vendor: string[], wholeWord: boolean): boolean {
  const found = vendor.filter((word) => text.slice(matchStart, matchStart + word.length).toLowerCase() === word);
  if (!wholeWord && found.some((word) => word.length >= 6)) return true;
  const before = text.slice(Math.max(0, matchStart - 6), matchStart);
  const startsPart = (at: number) => {
    const [last, first] = [text.charAt(at - 1), text.charAt(at)];
    return !/[A-Za-z]/.test(last) || !/[A-Za-z]/.test(first) || (/[a-z]/.test(last) && /[A-Z]/.test(first));
  };
  const prefixed = /(?:^|[^\w-])-[DP]$/.test(before) || escapeBefore.test(before);
  return (prefixed || startsPart(matchStart)) && found.some((word) => startsPart(matchStart + word.length));
}

/** Builds a rule for a credential that looks like any random text and is recognised by a nearby vendor name. */
export function vendorRule(spec: VendorSpec): SecretRule {
  const shapes = listOf(spec.shapes);
  const [shape = ''] = shapes;
  const [vendor = ''] = spec.vendor;
  const example = () => spec.sample?.() ?? shapeSample(shape);
  const name = (spec.names?.[0] ?? 'api_key').replace(/[^a-z0-9]/g, '_');
  return {
    ...describe(spec),
    keywords: spec.vendor,
    pattern: nearKeyword(spec.vendor, alternatives(shapes), spec.names, endAfter(shapes)),
    anchored: true,
    generic: true,
    minEntropy: spec.minEntropy ?? Math.min(...shapes.map(shapeEntropy)),
    ...(spec.verify ? { verify: spec.verify } : {}),
    accept: (candidate) =>
      isVendorWord(candidate, spec.vendor, spec.wholeWord === true) &&
      !harmlessName.test(candidate.text.slice(candidate.matchStart, candidate.start)) &&
      (looksRandom(candidate.secret) || /^\d+$/.test(candidate.secret)) &&
      !isMadeUp(candidate.secret),
    get matches() {
      return vendorTexts.map((text) => text(vendor.replace(/[^a-z0-9]+$/, ''), name, example()));
    },
    get misses() {
      const assign = (value: string) => `${vendor}_${name} = "${value}"\n`;
      const wrong = [
        shapePlaceholder(shape),
        shapeSample(shape, -1),
        shapeSample(shape, 1),
        ...(spec.misses?.() ?? []),
      ];
      return [...wrong.map(assign), assign('$' + `{${vendor}_${name}}`), `digest = "${example()}"\n`];
    },
  };
}
