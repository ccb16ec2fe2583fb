import { confidences } from '../contract/confidence.ts';
import type { FixChange, Location, Place } from '../contract/detection.ts';
import { type Severity, severities } from '../contract/severity.ts';
import type { Suppression } from '../contract/suppression.ts';
import { importedSecretFingerprint } from '../detectors/secrets/identity.ts';
import { redactTexts } from '../detectors/secrets/redact-text.ts';
import { type GivenExcerpts, readExcerpts } from './excerpts.ts';
import type { OwnResult, ReadContext } from './format.ts';
import { FormatError, jsonPathName } from './format-error.ts';
import type { JsonObject, JsonPath } from './json/json.ts';
import { number, object, objects, position, text, texts, webAddress } from './values.ts';

/** The name of the tool in a file that `assay scan` wrote. */
export const ownTool = 'Assay';

/** The length to which texts are truncated: those of detectors are shorter. */
const max = { title: 1_000, description: 100_000, evidence: 10_000, remediation: 20_000, name: 1_000, path: 4_000 };
const maxPlaces = 100;
const maxItems = 200;

const fingerprintPattern = /^v[12]:[\w-]{20,64}$/;
const sourcePattern = /^[a-z0-9][a-z0-9-]{0,59}$/;

/** Returns the detection source in a file of `assay scan`; undefined for another text. */
export const ownSource = (value: unknown): string | undefined =>
  typeof value === 'string' && sourcePattern.test(value) ? value : undefined;

/** Reads a file's coverage of a source. Without it, nothing is certain to be covered. */
export function ownGaps(value: unknown): { partial: string[]; uncovered: string[] } {
  const { partial, uncovered } = object(value);
  if (!Array.isArray(partial) || !Array.isArray(uncovered)) {
    return { partial: ['The file does not say what the scan covered.'], uncovered: [] };
  }
  return { partial: texts(partial), uncovered: texts(uncovered) };
}

/**
 * Reads a result that `assay scan` wrote, with everything that a scan by the server would report. The file is no more
 * trusted than others: secrets are removed from its texts, and only web addresses are kept. Throws FormatError.
 */
export function ownResult(
  values: JsonObject,
  { source, fingerprint, path: place, suppression }: OwnPlace,
  context: ReadContext,
): OwnResult {
  const title = text(values.title);
  const rule = object(values.rule);
  const ruleId = text(rule.id);
  if (title === undefined || ruleId === undefined || !isSeverity(values.severity))
    throw new FormatError('A result of Assay must have a “title”, a “severity” and a “rule”.', {
      path: jsonPathName(place),
    });
  if (typeof fingerprint !== 'string' || !fingerprintPattern.test(fingerprint))
    throw new FormatError('A result of Assay must have its “fingerprint”.', { path: jsonPathName(place) });
  const given = [title, values.description, values.evidence, values.remediation];
  const [shownTitle, description, evidence, remediation] = redactAll(given);
  const location = readLocation(object(values.location));
  const tags = texts(rule.tags ?? []);
  const places = objects(values.places).slice(0, maxPlaces).map(readPlace);
  return {
    source,
    own: {
      fingerprint: source === 'secrets' ? importedSecretFingerprint(fingerprint, context.keyedHash) : fingerprint,
      title: shownTitle!.slice(0, max.title),
      description: (description ?? '').slice(0, max.description),
      // Only decisions of the server show findings as `info` there.
      severity: isSeverity(values.scanner_severity) ? values.scanner_severity : values.severity,
      rule: {
        id: ruleId.slice(0, 300),
        name: (text(rule.name) ?? ruleId).slice(0, max.name),
        url: webAddress(rule.url),
        ...(tags.length > 0 && { tags: tags.filter((tag) => tag.length <= 100).slice(0, 20) }),
      },
      location,
      places,
      occurrences: Math.max(1, places.length, position(values.occurrences) ?? 1),
      identifiers: texts(values.identifiers).slice(0, maxItems),
      cvss_score: scoreOf(values.cvss_score),
      confidence: confidences.find((known) => known === values.confidence) ?? null,
      evidence: evidence?.slice(0, max.evidence) ?? null,
      remediation: remediation?.slice(0, max.remediation) ?? null,
      references: texts(values.references)
        .filter((reference) => webAddress(reference) !== null)
        .slice(0, maxItems),
      ...readExcerpts(excerptsOf(values), location, false, context),
      suppression: suppression ?? null,
    },
  };
}

/** Redacts the secrets in a text; returns null for other values. */
function redactAll(given: unknown[]): Array<string | null> {
  const shown = redactTexts(given.map((value) => (typeof value === 'string' ? value : '')));
  return given.map((value, index) => (typeof value === 'string' ? shown[index]! : null));
}

/** Returns code, flow and fix from the file. A fix with an unreadable part is omitted. */
function excerptsOf(values: JsonObject): GivenExcerpts {
  const { start_line, lines } = object(values.code);
  const start = position(start_line);
  const steps = objects(values.flow);
  const { description, changes } = object(values.fix);
  const read = objects(changes).map(changeOf);
  return {
    code: start === null || !Array.isArray(lines) ? null : { start, text: lines.map(String).join('\n') },
    flow: steps.length === 0 ? null : { count: steps.length, at: (index) => stepOf(steps[index]!) },
    fix: read.every((change) => change !== null) ? { description: text(description) ?? null, changes: read } : null,
  };
}

const stepOf = ({ number: own, path, start_line, message }: JsonObject) => ({
  number: position(own) ?? undefined,
  path: readPath(path),
  start_line: position(start_line),
  message: text(message) ?? null,
});

function changeOf(change: JsonObject): FixChange | null {
  const [path, start, end] = [readPath(change.path), position(change.start_line), position(change.end_line)];
  if (path === null || start === null || end === null || typeof change.text !== 'string') return null;
  const columns = { start_column: position(change.start_column), end_column: position(change.end_column) };
  return { path, start_line: start, end_line: Math.max(start, end), ...columns, text: change.text };
}

type OwnPlace = { source: string; fingerprint: unknown; path: JsonPath; suppression: Suppression | undefined };

const isSeverity = (value: unknown): value is Severity => (severities as readonly unknown[]).includes(value);

const scoreOf = (value: unknown): number | null => {
  const score = number(value);
  return score !== undefined && score >= 0 && score <= 10 ? score : null;
};

const readPath = (value: unknown): string | null => text(value)?.slice(0, max.path) ?? null;

function readPlace(place: JsonObject): Place {
  const version = text(place.version)?.slice(0, max.name);
  return {
    path: readPath(place.path),
    start_line: position(place.start_line),
    end_line: position(place.end_line),
    commit: commitOf(place.commit),
    ...(version && { version }),
  };
}

function readLocation(location: JsonObject): Location {
  const found = object(location.package);
  const [ecosystem, name] = [text(found.ecosystem), text(found.name)];
  return {
    path: readPath(location.path),
    start_line: position(location.start_line),
    end_line: position(location.end_line),
    start_column: position(location.start_column),
    end_column: position(location.end_column),
    commit: commitOf(location.commit),
    url: webAddress(location.url),
    package:
      ecosystem === undefined || name === undefined
        ? null
        : {
            ecosystem,
            name,
            version: text(found.version) ?? null,
            fixed_version: text(found.fixed_version) ?? null,
            purl: text(found.purl) ?? null,
          },
  };
}

const commitOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{7,64}$/i.test(value) ? value : null;
