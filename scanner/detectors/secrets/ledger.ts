import type { ScannedDetection } from '../../contract/detector.ts';
import type { Suppression } from '../../contract/suppression.ts';
import type { SecretHit } from './engine.ts';
import { type SecretPlace, secretFingerprint, toDetection } from './identity.ts';
import type { SecretRule } from './rule.ts';

/** A secret's position in one version of a file. `evidence` is redacted; `ignored` is a comment. */
type Position = Pick<SecretHit, 'startLine' | 'endLine' | 'startColumn' | 'endColumn' | 'evidence' | 'ignored'>;

/** Everything known about a secret at a path. It contains no secret: the fingerprint is a keyed hash. */
export type LedgerEntry = {
  fingerprint: string;
  /** Empty for commit messages. */
  path: string;
  /** The rule that found it last. */
  rule: string;
  /** The first commit that contained it here; null if it isn't committed. `order` counts versions, older first. */
  introduced: { commit: string | null; order: number };
  /** Its positions in the newest version of the file that contained it. */
  latest: { order: number; positions: Position[] };
  /** Its current positions, at the branch's head or on disk; null if it is gone. */
  present: Position[] | null;
};

/** Stands for a commit message in place of a file's path. */
export const commitMessagePath = '';

/** Further positions of a secret in a file are discarded: they don't change the remediation. */
const maxPositions = 1_000;

/**
 * Collects hits in one entry for each secret and path, so that memory grows with the number of secrets, not of changes.
 * Hits of parent commits must come before those of their children.
 */
export class SecretLedger {
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #keysOfPath = new Map<string, Set<string>>();
  readonly #rules: Map<string, SecretRule>;
  readonly #keyedHash: (value: string) => string;
  #order = 0;

  constructor(rules: SecretRule[], keyedHash: (value: string) => string, known: LedgerEntry[] = []) {
    this.#rules = new Map(rules.map((rule) => [rule.id, rule]));
    this.#keyedHash = keyedHash;
    for (const entry of known) {
      this.#insert(entry);
      this.#order = Math.max(this.#order, entry.introduced.order, entry.latest.order);
    }
  }

  get entries(): IterableIterator<LedgerEntry> {
    return this.#entries.values();
  }

  /**
   * Records the hits of a version of a file. `introduced`: the commit introduced this version; otherwise only its
   * current state is read.
   */
  record(hits: SecretHit[], path: string, place: { commit: string | null; introduced: boolean; present: boolean }) {
    const order = ++this.#order;
    for (const [fingerprint, found] of this.#groupBySecret(hits)) {
      const positions = found.slice(0, maxPositions).map(toPosition);
      const rule = found[0]!.rule.id;
      const known = this.#entries.get(keyOf(fingerprint, path));
      const entry: LedgerEntry = known ?? {
        fingerprint,
        path,
        rule,
        present: null,
        introduced: { commit: place.commit, order },
        latest: { order, positions },
      };
      if (!known) this.#insert(entry);
      if (place.introduced) entry.latest = { order, positions };
      if (place.present) entry.present = positions;
      entry.rule = rule;
    }
  }

  /** Records that the file at this path is gone or has changed. */
  forgetPresent(path: string) {
    for (const key of this.#keysOfPath.get(path) ?? []) this.#entries.get(key)!.present = null;
  }

  /**
   * Returns a detection for each secret. Its location is the current one or, if the secret is gone, the last one.
   * `ofBranches`: other branches were read too, where anybody may write comments; only those at the head count.
   */
  *detections({ ofBranches = false } = {}): Generator<ScannedDetection> {
    for (const [fingerprint, entries] of Map.groupBy(this.#entries.values(), (entry) => entry.fingerprint)) {
      entries.sort(newestFirst);
      const places = entries.flatMap(toPlaces);
      const rule = this.#rules.get(entries[0]!.rule)!;
      const detection = toDetection({ rule, fingerprint, places, occurrences: places.length });
      yield { ...detection, suppression: suppressionOf(entries, ofBranches) };
    }
  }

  #groupBySecret(hits: SecretHit[]): Map<string, SecretHit[]> {
    return Map.groupBy(hits, (hit) => secretFingerprint(hit.rule, hit.secret, this.#keyedHash));
  }

  #insert(entry: LedgerEntry) {
    const key = keyOf(entry.fingerprint, entry.path);
    this.#entries.set(key, entry);
    const keys = this.#keysOfPath.get(entry.path);
    if (keys) keys.add(key);
    else this.#keysOfPath.set(entry.path, new Set([key]));
  }
}

const keyOf = (fingerprint: string, path: string) => `${fingerprint} ${path}`;

/**
 * Returns the decision of comments in the code, if every current location has one or, for a secret that is gone, its
 * last location.
 */
function suppressionOf(sorted: LedgerEntry[], ofBranches: boolean): Suppression | null {
  const present = sorted.flatMap(({ present, path }) => (present ?? []).map((position) => ({ ...position, path })));
  if (present.length === 0 && ofBranches) return null;
  const last = sorted[0]!;
  const deciding =
    present.length > 0 ? present : last.latest.positions.map((position) => ({ ...position, path: last.path }));
  const [first] = deciding;
  if (!first?.ignored || !deciding.every(({ ignored }) => ignored)) return null;
  const { reason, line } = first.ignored;
  return {
    status: 'accepted_risk',
    reason,
    comment: { path: first.path, line: present.length > 0 ? line : null },
  };
}

function toPosition(hit: SecretHit): Position {
  const { startLine, endLine, startColumn, endColumn, evidence, ignored } = hit;
  // A substring keeps the whole string in memory, here the whole file.
  const copied = Buffer.from(evidence).toString();
  return { startLine, endLine, startColumn, endColumn, evidence: copied, ...(ignored && { ignored }) };
}

function newestFirst(left: LedgerEntry, right: LedgerEntry): number {
  if (Boolean(left.present) !== Boolean(right.present)) return left.present ? -1 : 1;
  const age = left.present ? right.introduced.order - left.introduced.order : right.latest.order - left.latest.order;
  return age || (left.path < right.path ? -1 : 1);
}

function toPlaces(entry: LedgerEntry): SecretPlace[] {
  const { path, introduced } = entry;
  return (entry.present ?? entry.latest.positions).map(({ ignored, ...position }) => ({
    ...position,
    path: path === commitMessagePath ? null : path,
    commit: introduced.commit,
  }));
}
