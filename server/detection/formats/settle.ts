import type { Location, Place } from '../../findings/detection.ts';
import { fingerprint } from '../../findings/fingerprint.ts';
import { EqualCounter } from './equal-counter.ts';
import type { ImportedDetection, ReadDetection } from './format.ts';

/** Equal results are looked for among this many at a time: more than nearly every file holds, and some 30 MB at most. */
const windowSize = 10_000;
/** And of this many characters, should they be large. */
const windowCharacters = 12_000_000;
const batchSize = 1_000;
const mostPlaces = 100;

/** A result in its lasting form, as soon as it is read: what its reader made of it need not be kept. */
type Held = {
  detection: ImportedDetection;
  equals: ReadDetection['equals'];
  /** All of them; the detection has the first hundred. */
  places: Place[];
  position: string | null;
};

/**
 * Gives results their lasting identity.
 *
 * A result's identity is what its reader says, and the source. Equal ones become one detection with all their places
 * (`equals: 'places'`), or as many as stand at distinct positions (`'problems'`): these are numbered in order of position, so
 * the same file with its results in another order gives exactly the same detections; told twice at one column, it is one.
 * Files of more than 10,000 results are settled in windows of that size, where numbers go on from window to window.
 */
export async function* settle(results: AsyncIterable<ReadDetection>): AsyncGenerator<ImportedDetection[]> {
  const settler = new Settler();
  const held = new Map<string, Held | Held[]>();
  let count = 0;
  let characters = 0;
  for await (const result of results) {
    const key = fingerprint(result.source, ...result.identity);
    const equals = held.get(key);
    if (!equals) held.set(key, hold(key, result));
    else if (Array.isArray(equals)) equals.push(hold(key, result));
    else held.set(key, [equals, hold(key, result)]);
    count += 1;
    characters += (result.description?.length ?? 0) + (result.evidence?.length ?? 0) + 500;
    if (count < windowSize && characters < windowCharacters) continue;
    yield* settler.settle(held);
    count = 0;
    characters = 0;
  }
  yield* settler.settle(held);
}

class Settler {
  readonly #ordinals = new EqualCounter();
  readonly #positions = new EqualCounter();

  /** Empties `held` as it goes: what is handed over is not kept. */
  *settle(held: Map<string, Held | Held[]>): Generator<ImportedDetection[]> {
    let detections: ImportedDetection[] = [];
    for (const [key, value] of held) {
      held.delete(key);
      const equals = Array.isArray(value) ? inOrder(value) : [value];
      if (equals[0]!.equals === 'places') detections.push(asOne(equals));
      else for (const one of equals) this.#number(key, one, detections);
      if (detections.length < batchSize) continue;
      yield detections;
      detections = [];
    }
    if (detections.length > 0) yield detections;
  }

  #number(key: string, { detection, position }: Held, detections: ImportedDetection[]): void {
    if (position !== null && this.#positions.next(key + position) > 0) return;
    const ordinal = this.#ordinals.next(key);
    if (ordinal > 0) detection.fingerprint = fingerprint(key, String(ordinal));
    detections.push(detection);
  }
}

function hold(key: string, result: ReadDetection): Held {
  const places = ownPlaces(result);
  return { detection: complete(key, result, places), equals: result.equals, places, position: positionKey(result) };
}

/** Null where a tool tells the line and no column: two on one line may be two, there is nothing to tell them apart by. */
function positionKey({ location = {}, title }: ReadDetection): string | null {
  const { path, start_line, start_column, end_line, end_column, commit } = location;
  if (start_line && !start_column) return null;
  return [path, start_line, start_column, end_line, end_column, commit, title].join('\0');
}

/** By position, then by all the rest: an order that owes nothing to that of the file. */
function inOrder(equals: Held[]): Held[] {
  const keyed = equals.map((one) => ({ one, at: one.detection.location, all: JSON.stringify(one) }));
  keyed.sort(
    (one, other) =>
      compare(one.at.path ?? '', other.at.path ?? '') ||
      (one.at.start_line ?? 0) - (other.at.start_line ?? 0) ||
      (one.at.start_column ?? 0) - (other.at.start_column ?? 0) ||
      compare(one.all, other.all),
  );
  return keyed.map(({ one }) => one);
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function ownPlaces({ location, places }: ReadDetection): Place[] {
  if (places && places.length > 0) return places;
  const { path = null, start_line = null, end_line = null, commit = null } = location ?? {};
  return [{ path, start_line, end_line, commit }];
}

/** The gravest of equals speaks for all of them: two severities for one problem are no reason to take the lower. */
function asOne(equals: Held[]): ImportedDetection {
  const [first] = equals;
  if (equals.length === 1 && first!.places.length === 1) return first!.detection;
  const distinct = new Map<string, Place>();
  for (const { places } of equals) for (const place of places) distinct.set(JSON.stringify(place), place);
  const known = equals.filter(({ detection }) => !detection.suppression);
  const { detection } = gravest(known.length > 0 ? known : equals);
  return { ...detection, places: [...distinct.values()].slice(0, mostPlaces), occurrences: distinct.size };
}

const ranks = ['critical', 'high', 'medium', 'low', 'info'];
const rankOf = ({ detection }: Held): number => ranks.indexOf(detection.severity);

const gravest = (equals: Held[]): Held => equals.reduce((one, other) => (rankOf(other) < rankOf(one) ? other : one));

/** At most `length` UTF-16 units, told when it was cut. */
export const shorten = (value: string, length: number): string =>
  value.length <= length ? value : `${value.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

const bounded = (values: string[] | undefined, most: number): string[] =>
  values === undefined || values.length === 0
    ? []
    : [...new Set(values.map((value) => value.trim()))]
        .filter((value) => value !== '' && value.length <= 2_000)
        .slice(0, most);

/** What is absent is null. */
const completeLocation = (location: Partial<Location> = {}): Location => ({
  path: location.path ?? null,
  start_line: location.start_line ?? null,
  end_line: location.end_line ?? null,
  start_column: location.start_column ?? null,
  end_column: location.end_column ?? null,
  commit: location.commit ?? null,
  url: location.url ?? null,
  package: location.package ?? null,
});

/** Most titles are a rule's and stand in many results: as long as there is nothing to change, they share its text. */
const oneLine = (title: string): string => (/[^\S ]| {2}/.test(title) ? title.replace(/\s+/g, ' ') : title).trim();

function complete(key: string, result: ReadDetection, places: Place[]): ImportedDetection {
  const title = shorten(oneLine(result.title) || result.rule.id, 300);
  return {
    source: result.source,
    fingerprint: key,
    title,
    description: shorten(result.description?.trim() || title, 20_000),
    severity: result.severity,
    rule: {
      id: shorten(result.rule.id, 300),
      name: shorten(result.rule.name?.trim() || result.rule.id, 300),
      url: webAddress(result.rule.url),
    },
    location: completeLocation(result.location),
    places: places.length > mostPlaces ? places.slice(0, mostPlaces) : places,
    occurrences: places.length,
    identifiers: bounded(result.identifiers, 100),
    cvss_score: result.cvss_score ?? null,
    evidence: result.evidence?.trim() ? shorten(result.evidence.trimEnd(), 2_000) : null,
    remediation: result.remediation?.trim() ? shorten(result.remediation.trim(), 5_000) : null,
    references: bounded(result.references, 50).filter((reference) => webAddress(reference) !== null),
    suppression: result.suppression
      ? { ...result.suppression, reason: shorten(result.suppression.reason, 2_000) }
      : null,
  };
}

/** Only addresses that a browser may be sent to: a file must not bring `javascript:` into the console. */
const webAddress = (value: string | undefined): string | null =>
  value !== undefined && /^https?:\/\/[^\s]+$/i.test(value) && value.length <= 2_000 ? value : null;
