import type { Detection } from '../../../findings/detection.ts';
import type { SecretHit } from './engine.ts';
import { type SecretPlace, secretFingerprint, toDetection } from './identity.ts';
import type { SecretRule } from './rule.ts';

/** Where a secret stands in one version of a file. `evidence` is redacted. */
type Position = Pick<SecretHit, 'startLine' | 'endLine' | 'startColumn' | 'endColumn' | 'evidence'>;

/** All that is known of one secret at one path. Holds no secret: the fingerprint is a keyed hash. */
export type Standing = {
  fingerprint: string;
  /** Empty for commit messages. */
  path: string;
  /** The rule that found it last. */
  rule: string;
  /** The first commit that held it here; null when it isn't committed. `order` counts sightings, older first. */
  brought: { commit: string | null; order: number };
  /** Where it stood in the newest version of the file that held it. */
  latest: { order: number; positions: Position[] };
  /** Where it stands now, at the branch's head or on disk; null when it is gone from there. */
  present: Position[] | null;
};

/** The path of no file: the secret was found in a commit's message. */
export const commitMessagePath = '';

/** More places of one secret in one file are not kept: they add nothing to what has to be done. */
const maxPositions = 1_000;

/**
 * Gathers hits into one standing for each secret and path, so that memory goes with what is found and not with how often files changed.
 * Hits must come parents before children.
 */
export class SecretLedger {
  readonly #standings = new Map<string, Standing>();
  readonly #keysOfPath = new Map<string, Set<string>>();
  readonly #rules: Map<string, SecretRule>;
  readonly #keyedHash: (value: string) => string;
  #order = 0;

  constructor(rules: SecretRule[], keyedHash: (value: string) => string, known: Standing[] = []) {
    this.#rules = new Map(rules.map((rule) => [rule.id, rule]));
    this.#keyedHash = keyedHash;
    for (const standing of known) {
      this.#insert(standing);
      this.#order = Math.max(this.#order, standing.brought.order, standing.latest.order);
    }
  }

  get standings(): IterableIterator<Standing> {
    return this.#standings.values();
  }

  /** Notes the hits of one version of a file. `introduced`: the commit brought this version; otherwise it is only looked at where it stands now. */
  record(hits: SecretHit[], path: string, place: { commit: string | null; introduced: boolean; present: boolean }) {
    const order = ++this.#order;
    for (const [fingerprint, found] of this.#groupBySecret(hits)) {
      const positions = found.slice(0, maxPositions).map(toPosition);
      const rule = found[0]!.rule.id;
      const known = this.#standings.get(keyOf(fingerprint, path));
      const standing: Standing = known ?? {
        fingerprint,
        path,
        rule,
        present: null,
        brought: { commit: place.commit, order },
        latest: { order, positions },
      };
      if (!known) this.#insert(standing);
      if (place.introduced) standing.latest = { order, positions };
      if (place.present) standing.present = positions;
      standing.rule = rule;
    }
  }

  /** The file at this path is gone or another now. */
  forgetPresent(path: string) {
    for (const key of this.#keysOfPath.get(path) ?? []) this.#standings.get(key)!.present = null;
  }

  /** One detection for each secret; its location is where it stands now or, when it is gone, where it stood last. */
  *detections(): Generator<Detection> {
    for (const [fingerprint, standings] of Map.groupBy(this.#standings.values(), (standing) => standing.fingerprint)) {
      standings.sort(newestFirst);
      const places = standings.flatMap(toPlaces);
      const rule = this.#rules.get(standings[0]!.rule)!;
      yield toDetection({ rule, fingerprint, places, occurrences: places.length });
    }
  }

  #groupBySecret(hits: SecretHit[]): Map<string, SecretHit[]> {
    return Map.groupBy(hits, (hit) => secretFingerprint(hit.rule, hit.secret, this.#keyedHash));
  }

  #insert(standing: Standing) {
    const key = keyOf(standing.fingerprint, standing.path);
    this.#standings.set(key, standing);
    const keys = this.#keysOfPath.get(standing.path);
    if (keys) keys.add(key);
    else this.#keysOfPath.set(standing.path, new Set([key]));
  }
}

const keyOf = (fingerprint: string, path: string) => `${fingerprint} ${path}`;

function toPosition({ startLine, endLine, startColumn, endColumn, evidence }: SecretHit): Position {
  // A piece of a string keeps all of it in memory: here that would be the whole file.
  const copied = Buffer.from(evidence).toString();
  return { startLine, endLine, startColumn, endColumn, evidence: copied };
}

function newestFirst(left: Standing, right: Standing): number {
  if (Boolean(left.present) !== Boolean(right.present)) return left.present ? -1 : 1;
  const age = left.present ? right.brought.order - left.brought.order : right.latest.order - left.latest.order;
  return age || (left.path < right.path ? -1 : 1);
}

function toPlaces(standing: Standing): SecretPlace[] {
  const { path, brought } = standing;
  return (standing.present ?? standing.latest.positions).map((position) => ({
    ...position,
    path: path === commitMessagePath ? null : path,
    commit: brought.commit,
  }));
}
