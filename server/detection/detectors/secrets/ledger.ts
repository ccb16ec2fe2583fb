import type { Detection } from '../../../findings/detection.ts';
import type { SecretHit } from './engine.ts';
import { type SecretPlace, secretIdentity, toDetection } from './identity.ts';
import type { SecretRule } from './rule.ts';

/** Where a secret stands in one version of a file. `evidence` is redacted. */
export type Position = Pick<SecretHit, 'startLine' | 'endLine' | 'startColumn' | 'endColumn' | 'evidence'>;

/** All that is known of one secret at one path. Holds no secret: `secret` is its keyed hash. */
export type Standing = {
  secret: string;
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

/** A path that stands for no file: the secret was found in a commit's message. */
export const commitMessagePath = '(commit message)';

/** More places of one secret in one file are not kept: they add nothing to what has to be done. */
const mostPositions = 1_000;

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
    for (const [secret, found] of this.#groupBySecret(hits)) {
      const positions = found.slice(0, mostPositions).map(toPosition);
      const rule = found[0]!.rule.id;
      const known = this.#standings.get(keyOf(secret, path));
      const standing: Standing = known ?? {
        ...{ secret, path, rule, present: null },
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
    for (const [secret, standings] of Map.groupBy(this.#standings.values(), (standing) => standing.secret)) {
      standings.sort(newestFirst);
      const places = standings.flatMap(toPlaces);
      const rule = this.#rules.get(standings[0]!.rule)!;
      const detection = toDetection({ rule, secret: '', places, occurrences: places.length }, () => secret);
      if (detection.location.path === commitMessagePath) detection.location.path = null;
      for (const place of detection.places) if (place.path === commitMessagePath) place.path = null;
      yield detection;
    }
  }

  #groupBySecret(hits: SecretHit[]): Map<string, SecretHit[]> {
    return Map.groupBy(hits, (hit) => this.#keyedHash(secretIdentity(hit.rule, hit.secret)));
  }

  #insert(standing: Standing) {
    const key = keyOf(standing.secret, standing.path);
    this.#standings.set(key, standing);
    const keys = this.#keysOfPath.get(standing.path);
    if (keys) keys.add(key);
    else this.#keysOfPath.set(standing.path, new Set([key]));
  }
}

const keyOf = (secret: string, path: string) => `${secret} ${path}`;

function toPosition({ startLine, endLine, startColumn, endColumn, evidence }: SecretHit): Position {
  return { startLine, endLine, startColumn, endColumn, evidence };
}

function newestFirst(one: Standing, other: Standing): number {
  if (Boolean(one.present) !== Boolean(other.present)) return one.present ? -1 : 1;
  const age = one.present ? other.brought.order - one.brought.order : other.latest.order - one.latest.order;
  return age || (one.path < other.path ? -1 : 1);
}

function toPlaces(standing: Standing): SecretPlace[] {
  const { path, brought } = standing;
  return (standing.present ?? standing.latest.positions).map((position) => ({
    ...position,
    path,
    commit: brought.commit,
  }));
}
