import { knownRule } from '../../findings/standards/known-rules.ts';
import { weaknessName } from '../../findings/standards/weaknesses.ts';

/** The texts that describe a finding. */
type Described = {
  title: string;
  rule: { id: string; name: string };
  identifiers: string[];
  location: { package: { name: string } | null };
};

/** Returns whether a text is readable: several words are; an id, a path, a code or a truncated text is not. */
export function isReadable(text: string): boolean {
  const trimmed = text.trim();
  if (/(\.\.\.|…)$/.test(trimmed)) return false;
  const words = trimmed.split(/\s+/);
  const longest = Math.max(...words.map((word) => word.length));
  return words.length >= 2 && longest <= 40 && /\p{L}{2}/u.test(trimmed);
}

/** A single word that readers know as a name: `Log4Shell`. */
const isName = (text: string): boolean => /^\p{Lu}[\p{L}\d]{3,30}$/u.test(text) && /\p{Ll}/u.test(text);

const properName = (name: string): string => acronyms.get(name.toLowerCase()) ?? name;

/** Advisories are known by their id. */
const isAdvisory = (text: string): boolean =>
  /^(CVE-\d{4}-\d{4,}|GHSA(-[\da-z]{4}){3}|(PYSEC|GO|RUSTSEC|OSV|RHSA|DSA|USN)-[\d:-]+)$/i.test(text);

const acronyms = new Map(
  [
    'SQL',
    'XSS',
    'XML',
    'XXE',
    'CSRF',
    'SSRF',
    'HTTP',
    'HTTPS',
    'TLS',
    'SSL',
    'SSH',
    'URL',
    'IAM',
    'AWS',
    'GCP',
    'S3',
    'EC2',
  ]
    .concat([
      'API',
      'JWT',
      'CORS',
      'CSP',
      'DNS',
      'DOM',
      'HTML',
      'LDAP',
      'MD5',
      'SHA1',
      'AES',
      'DES',
      'ECB',
      'RDS',
      'KMS',
      'VPC',
    ])
    .concat([
      'GitHub',
      'GitLab',
      'PostgreSQL',
      'MySQL',
      'OAuth',
      'YAML',
      'JSON',
      'JavaScript',
      'TypeScript',
      'IP',
      'ID',
    ])
    .map((word) => [word.toLowerCase(), word]),
);

/**
 * Returns the last part of an id as words: `java.lang.security.audit.sqli.tainted-sql-string` becomes "Tainted SQL
 * string". Empty if that part is a bare code, such as `B105` or `10038`.
 */
function wordsOfId(id: string): string {
  const segments = id.split(/[./:\\\s]+/).filter((segment) => /\p{L}{3}/u.test(segment));
  const last = segments.at(-1) ?? '';
  const words = last
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[-_\s]+/)
    .filter((word) => word !== '')
    .map((word) => acronyms.get(word.toLowerCase()) ?? word.toLowerCase());
  if (words.length === 0 || (words.length === 1 && /\d/.test(words[0]!))) return '';
  const text = words.join(' ');
  return text[0]!.toUpperCase() + text.slice(1);
}

/**
 * Returns the first sentence of the title without its place: `SQL injection in src/db.ts:12` becomes "SQL injection".
 */
function titleWithoutPlace(title: string): string {
  const line = title.split(/\r?\n/, 1)[0]!.trim();
  const withoutPlace = line
    .replace(/\s*\([^()\s]*[.:/][^()\s]*\)$/, '')
    .replace(/\s+(?:in|at|on|of)\s+\S*[/\\.:]\S*\s*$/i, '')
    .trim();
  const short = withoutPlace || line;
  if (short.length <= maxLength) return short;
  const [sentence = ''] = /^.{10,120}?[.:;](?=\s|$)/.exec(short) ?? [];
  return sentence.slice(0, -1) || short;
}

const maxLength = 120;
const isShort = (text: string) => text.length <= maxLength && isReadable(text);

/**
 * Returns a name that a reader understands: the rule's name if it is readable, or else the title, the last part of the
 * rule's id in words, or the name of its weakness. A bare id is returned only for advisories, which are known by it,
 * and if there is nothing else.
 */
export function readableName({ title, rule, identifiers, location }: Described): string {
  const ruleName = rule.name.trim();
  if (isShort(ruleName)) return ruleName;
  const known = knownRule(rule.id);
  if (known) return known.name;
  const advisory = [ruleName, rule.id].find(isAdvisory);
  if (advisory) return location.package ? `${advisory} in ${location.package.name}` : advisory;
  const short = titleWithoutPlace(title);
  if (isShort(short)) return short;
  // The kind of a secret is often only a product name.
  if (isName(ruleName)) return identifiers.includes('CWE-798') ? `${properName(ruleName)} secret` : ruleName;
  const words = wordsOfId(rule.id) || wordsOfId(ruleName);
  if (words.includes(' ')) return words;
  const weakness = identifiers.map(weaknessName).find((name) => name !== undefined);
  return weakness ?? (words || short || ruleName || rule.id);
}
