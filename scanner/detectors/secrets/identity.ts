import { createHmac } from 'node:crypto';
import type { Confidence } from '../../contract/confidence.ts';
import type { Detection, Place } from '../../contract/detection.ts';
import type { Severity } from '../../contract/severity.ts';
import { isExamplePath, isTestPath, lowered } from '../../contract/test-path.ts';
import type { SecretRule } from './rule.ts';
import { unwrapBase64 } from './wrapped-base64.ts';

/** A location of a secret; `evidence` is the redacted line. A commit message has no path. */
export type SecretPlace = {
  path: string | null;
  commit: string | null;
  startLine: number;
  endLine: number;
  startColumn: number;
  endColumn: number;
  evidence: string;
};

const maxPlaces = 100;

/**
 * Returns the identity of a finding: the secret and the kind of credential, without path or commit, so that moved,
 * copied and reformatted files create no new finding. Rules for assignments share one kind: a password is the same in
 * `.env` and in JSON. In plain text: use it only as a key in memory, and hash it before it leaves the process.
 */
export function secretIdentity(rule: SecretRule, secret: string): string {
  return `${rule.generic ? 'generic' : rule.id}\0${normaliseSecret(secret)}`;
}

/**
 * Removes line ends and indentation (real or written as `\n`) from PEM blocks and wrapped base64, so that the same key
 * in a file and in JSON is one secret.
 */
function normaliseSecret(secret: string): string {
  if (/^[A-Za-z0-9+/]{50,120}(?!=)\W*\n/.test(secret)) return unwrapBase64(secret);
  return secret.includes('-----BEGIN') ? secret.replace(/\\[nrt]|[\s"'+\\,]/g, '') : secret.trim();
}

/**
 * Returns the hash of a secret under a key that all machines share. The command line writes it as the fingerprint,
 * since it has no organization. It reveals nothing to anyone who can't read the secret in the target anyway.
 */
export const sharedHash = (value: string): string =>
  createHmac('sha256', 'assay scan').update(value).digest('base64url');

/**
 * Returns the fingerprint that replaces the secret. `keyedHash` is that of the run: the organization's, or none on the
 * command line. See `importedSecretFingerprint`.
 */
export function secretFingerprint(rule: SecretRule, secret: string, keyedHash: (hash: string) => string): string {
  return `v1:${keyedHash(sharedHash(secretIdentity(rule, secret)))}`;
}

/**
 * Converts the fingerprint that the command line wrote to the one of a scan by the server. The secret itself isn't
 * needed.
 */
export const importedSecretFingerprint = (written: string, keyedHash: (hash: string) => string): string =>
  `v1:${keyedHash(written.replace(/^v1:/, ''))}`;

/**
 * Builds the detection of a secret. `places` must not be empty: the first, the newest, is the location, and at most 100
 * are kept; `occurrences` counts all.
 */
export function toDetection(found: {
  rule: SecretRule;
  fingerprint: string;
  places: SecretPlace[];
  occurrences: number;
}): Detection {
  const { rule, fingerprint, places, occurrences } = found;
  const place = places[0]!;
  return {
    fingerprint,
    title: `${rule.name} in ${place.path ?? 'a commit message'}`,
    description: describe(rule, place, occurrences),
    severity: severityOf(rule, places),
    rule: { id: rule.id, name: rule.name, url: rule.references?.[0] ?? null },
    location: {
      path: place.path,
      start_line: place.startLine,
      end_line: place.endLine,
      start_column: place.startColumn,
      end_column: place.endColumn,
      commit: place.commit,
      url: null,
      package: null,
    },
    places: places.slice(0, maxPlaces).map(toPlace),
    occurrences,
    identifiers: identifiersOf(rule),
    cvss_score: null,
    confidence: confidenceOf(rule, places),
    evidence: place.evidence,
    remediation: rule.remediation,
    references: rule.references ?? [],
  };
}

/** In tests and examples, an assignment is seldom a real credential. A token of a known form is a real one anywhere. */
const isExampleOf = (rule: SecretRule, places: SecretPlace[]): boolean =>
  Boolean(rule.generic) && places.every(({ path }) => isTestPath(path) || isExamplePath(path));

const severityOf = (rule: SecretRule, places: SecretPlace[]): Severity =>
  isExampleOf(rule, places) ? lowered(rule.severity) : rule.severity;

/** A known form is proof; an assignment may have another meaning. */
function confidenceOf(rule: SecretRule, places: SecretPlace[]): Confidence {
  if (isExampleOf(rule, places)) return 'low';
  return rule.generic ? 'medium' : 'high';
}

function toPlace(place: SecretPlace): Place {
  return { path: place.path, start_line: place.startLine, end_line: place.endLine, commit: place.commit };
}

function describe(rule: SecretRule, place: SecretPlace, occurrences: number): string {
  const file = place.path === null ? 'a commit message' : `\`${place.path.replaceAll('`', "'")}\``;
  const where = `${file}, line ${place.startLine}`;
  const times = occurrences > 1 ? ` It is in ${occurrences} places of the repository and its history.` : '';
  return [
    `**${rule.name}** found in ${where}.${times}`,
    rule.risk,
    'Anyone who can read the repository or has an old clone can use it: removing it from the newest version is not enough.',
  ].join('\n\n');
}

/**
 * CWE-798 (hard-coded credentials) for all; also CWE-321 for keys that encrypt or sign, and CWE-260 for passwords in
 * configuration.
 */
function identifiersOf(rule: SecretRule): string[] {
  if (/private-key|encryption|signing|secret-key-base|master-key/.test(rule.id)) return ['CWE-798', 'CWE-321'];
  return rule.generic && /password/.test(rule.id) ? ['CWE-798', 'CWE-260'] : ['CWE-798'];
}
