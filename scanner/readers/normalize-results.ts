import type { Location, Place } from '../contract/detection.ts';
import { ecosystemName } from '../contract/ecosystem-name.ts';
import { fingerprint, packageFingerprint } from '../contract/fingerprint.ts';
import type { CutTexts } from './cut-texts.ts';
import { EqualCounter } from './equal-counter.ts';
import type { ImportedDetection, ReadDetection, ReadResult } from './format.ts';
import { fixedVersionIn } from './package-result.ts';
import { maxPathLength } from './paths.ts';
import { titleInWords } from './titles.ts';
import { webAddress } from './values.ts';

/**
 * The number of results of a batch, within which equal ones are found: more than nearly every file has, in at most 30
 * MB.
 */
const maxBatchResults = 10_000;
/** The same limit in characters, for large results. */
const maxBatchCharacters = 12_000_000;
const batchSize = 1_000;
const maxPlaces = 100;

/**
 * A result in its final form. It is created as soon as the result is read, so that the reader's object can be freed.
 */
type LastingResult = {
  detection: ImportedDetection;
  equals: ReadDetection['equals'];
  /** All locations; the detection has the first hundred. */
  places: Place[];
  position: string | null;
};

/**
 * Assigns results their permanent identity: the source and the parts that the reader specifies. Equal results become
 * one detection with all their locations (`equals: 'places'`), or one for each distinct position (`'problems'`). These
 * are numbered by position, so that the same file with its results in another order produces exactly the same
 * detections; two reports at one column are one. Assay's own results already have their identity. Files of more than
 * 10,000 results are normalized in batches of that size, with numbers that continue from batch to batch.
 */
export async function* normalizeResults(
  results: AsyncIterable<ReadResult>,
  cut: CutTexts,
): AsyncGenerator<ImportedDetection[]> {
  const normalizer = new Normalizer();
  const waiting = new Map<string, LastingResult | LastingResult[]>();
  let own: ImportedDetection[] = [];
  let count = 0;
  let characters = 0;
  for await (const result of results) {
    if ('own' in result) {
      if (own.push({ ...result.own, source: result.source }) < batchSize) continue;
      yield own;
      own = [];
      continue;
    }
    const identify = result.identity[0] === 'package' ? packageFingerprint : fingerprint;
    const key = identify(result.source, ...result.identity);
    const equals = waiting.get(key);
    if (!equals) waiting.set(key, toLasting(key, result, cut));
    else if (Array.isArray(equals)) equals.push(toLasting(key, result, cut));
    else waiting.set(key, [equals, toLasting(key, result, cut)]);
    count += 1;
    characters += (result.description?.length ?? 0) + (result.evidence?.length ?? 0) + 500;
    if (count < maxBatchResults && characters < maxBatchCharacters) continue;
    yield* normalizer.normalize(waiting);
    count = 0;
    characters = 0;
  }
  yield* normalizer.normalize(waiting);
  if (own.length > 0) yield own;
}

class Normalizer {
  readonly #ordinals = new EqualCounter();
  readonly #positions = new EqualCounter();

  /** Empties `waiting` while it yields, so that memory is freed. */
  *normalize(waiting: Map<string, LastingResult | LastingResult[]>): Generator<ImportedDetection[]> {
    let detections: ImportedDetection[] = [];
    for (const [key, value] of waiting) {
      waiting.delete(key);
      const equals = Array.isArray(value) ? inOrder(value) : [value];
      if (equals[0]!.equals === 'places') detections.push(asOne(equals));
      else for (const waiting of equals) this.#number(key, waiting, detections);
      if (detections.length < batchSize) continue;
      yield detections;
      detections = [];
    }
    if (detections.length > 0) yield detections;
  }

  #number(key: string, { detection, position }: LastingResult, detections: ImportedDetection[]): void {
    if (position !== null && this.#positions.next(key + position) > 0) return;
    const ordinal = this.#ordinals.next(key);
    if (ordinal > 0) detection.fingerprint = fingerprint(key, String(ordinal));
    detections.push(detection);
  }
}

function toLasting(key: string, result: ReadDetection, cut: CutTexts): LastingResult {
  const places = ownPlaces(result);
  return {
    detection: complete(key, result, places, cut),
    equals: result.equals,
    places,
    position: positionKey(result),
  };
}

/** Null if a tool reports a line without a column: nothing then distinguishes two problems on one line. */
function positionKey({ location = {}, title }: ReadDetection): string | null {
  const { path, start_line, start_column, end_line, end_column, commit } = location;
  if (start_line && !start_column) return null;
  return [path, start_line, start_column, end_line, end_column, commit, title].join('\0');
}

/** Orders by position, then by everything else, independently of the order in the file. */
function inOrder(equals: LastingResult[]): LastingResult[] {
  const keyed = equals.map((waiting) => ({ waiting, at: waiting.detection.location, all: JSON.stringify(waiting) }));
  keyed.sort(
    (a, b) =>
      compare(a.at.path ?? '', b.at.path ?? '') ||
      (a.at.start_line ?? 0) - (b.at.start_line ?? 0) ||
      (a.at.start_column ?? 0) - (b.at.start_column ?? 0) ||
      compare(a.all, b.all),
  );
  return keyed.map(({ waiting }) => waiting);
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function ownPlaces({ location, places }: ReadDetection): Place[] {
  if (places && places.length > 0) return places;
  const { path = null, start_line = null, end_line = null, commit = null } = location ?? {};
  const version = location?.package?.version;
  return [{ path, start_line, end_line, commit, ...(version && { version }) }];
}

/** Returns the highest severity of equal results. */
function asOne(equals: LastingResult[]): ImportedDetection {
  const [first] = equals;
  if (equals.length === 1 && first!.places.length === 1) return first!.detection;
  const distinct = new Map<string, Place>();
  for (const { places } of equals) for (const place of places) distinct.set(JSON.stringify(place), place);
  const known = equals.filter(({ detection }) => !detection.suppression);
  const { detection } = mostSevere(known.length > 0 ? known : equals);
  return { ...detection, places: [...distinct.values()].slice(0, maxPlaces), occurrences: distinct.size };
}

const ranks = ['critical', 'high', 'medium', 'low', 'info'];
const rankOf = ({ detection }: LastingResult): number => ranks.indexOf(detection.severity);

const mostSevere = (equals: LastingResult[]): LastingResult => equals.reduce((a, b) => (rankOf(b) < rankOf(a) ? b : a));

const maxTags = 20;
const maxTagLength = 100;
const maxIdentifiers = 100;
const maxReferences = 50;

function bounded(values: string[] | undefined, maxCount: number, maxLength = 2_000): string[] {
  if (values === undefined || values.length === 0) return [];
  const trimmed = values.map((value) => value.trim());
  return (trimmed.length === 1 ? trimmed : [...new Set(trimmed)])
    .filter((value) => value !== '' && value.length <= maxLength)
    .slice(0, maxCount);
}

/**
 * Replaces absent fields with null. Maps ecosystems to OSV's names, and extracts a fixed version that is only in the
 * advice.
 */
const completeLocation = ({ location = {}, remediation }: ReadDetection): Location => ({
  path: location.path ?? null,
  start_line: location.start_line ?? null,
  end_line: location.end_line ?? null,
  start_column: location.start_column ?? null,
  end_column: location.end_column ?? null,
  commit: location.commit ?? null,
  url: location.url ?? null,
  package: location.package
    ? {
        ...location.package,
        ecosystem: ecosystemName(location.package.ecosystem),
        fixed_version: location.package.fixed_version ?? fixedVersionIn(remediation),
      }
    : null,
});

/**
 * Most titles come from a rule and are shared by many results: unless a title must be changed, they share one string.
 */
const oneLine = (title: string): string => (/[^\S ]| {2}/.test(title) ? title.replace(/\s+/g, ' ') : title).trim();

/**
 * Counts the parts of a result beyond the bounds. Readers truncate paths themselves (paths.ts), since identities depend
 * on them.
 */
function countCutLists(
  { rule, identifiers, references, location }: ReadDetection,
  places: Place[],
  cut: CutTexts,
): void {
  if ((rule.tags?.length ?? 0) > maxTags) cut.countList('tags', maxTags);
  if ((identifiers?.length ?? 0) > maxIdentifiers) cut.countList('identifiers', maxIdentifiers);
  if ((references?.length ?? 0) > maxReferences) cut.countList('references', maxReferences);
  if (places.length > maxPlaces) cut.countList('places', maxPlaces);
  if (location?.path?.length === maxPathLength) cut.countText('path', maxPathLength);
}

function complete(key: string, result: ReadDetection, places: Place[], cut: CutTexts): ImportedDetection {
  countCutLists(result, places, cut);
  const { name } = result.rule;
  const words = oneLine(titleInWords(oneLine(result.title), name, result.description)) || result.rule.id;
  const title = cut.shorten('title', words, 300);
  // A rule with the same name as its results has the same title in words.
  const ruleName = name === result.title ? words : name?.trim();
  return {
    source: result.source,
    fingerprint: key,
    title,
    description: cut.shorten('description', result.description?.trim() || title, 20_000),
    severity: result.severity,
    rule: {
      id: cut.shorten('rule id', result.rule.id, 300),
      name: cut.shorten('rule name', ruleName || result.rule.id, 300),
      url: webAddress(result.rule.url),
      tags: bounded(result.rule.tags, maxTags, maxTagLength),
    },
    location: completeLocation(result),
    places: places.length > maxPlaces ? places.slice(0, maxPlaces) : places,
    occurrences: places.length,
    identifiers: bounded(result.identifiers, maxIdentifiers),
    cvss_score: result.cvss_score ?? null,
    confidence: result.confidence ?? null,
    evidence: result.evidence?.trim() ? cut.shorten('evidence', result.evidence.trimEnd(), 2_000) : null,
    remediation: result.remediation?.trim() ? cut.shorten('remediation', result.remediation.trim(), 5_000) : null,
    code: result.code ?? null,
    flow: result.flow ?? null,
    fix: result.fix ?? null,
    references: bounded(result.references, maxReferences).filter((reference) => webAddress(reference) !== null),
    suppression: result.suppression
      ? { ...result.suppression, reason: cut.shorten('reason', result.suppression.reason, 2_000) }
      : null,
  };
}
