import type { Advisory, Affected, Range, RangeEvent, Severity } from '../contract/advisory.ts';
import { storableText } from '../platform/storable-text.ts';

type Json = Record<string, unknown>;

const maxDetails = 8_000;
const maxReferences = 30;
const maxEvents = 10_000;
const maxVersions = 50_000;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown, most = 1_000): string =>
  typeof value === 'string' ? storableText(value.slice(0, most)) : '';
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item.length <= 1_000) : [];

/**
 * Reads an advisory in OSV's form (https://ossf.github.io/osv-schema), version 1.0 or later. Null for a withdrawn one.
 * Throws a sentence if it is not an advisory. Unknown members are ignored.
 */
export function readAdvisory(json: string): Advisory | null {
  const value: unknown = JSON.parse(json);
  if (!isObject(value) || !/^[\w.:-]{1,200}$/.test(text(value.id)) || typeof value.modified !== 'string') {
    throw new Error('It has no "id" or no "modified".');
  }
  if (typeof value.withdrawn === 'string') return null;
  const specific = isObject(value.database_specific) ? value.database_specific : {};
  return {
    id: value.id as string,
    modified: text(value.modified, 100),
    aliases: texts(value.aliases).slice(0, 100),
    summary: text(value.summary),
    details: text(value.details, maxDetails),
    severity: readSeverity(value.severity),
    severityLabel: text(specific.severity, 20).toUpperCase() || null,
    weaknesses: readWeaknesses(specific),
    references: objects(value.references)
      .map((reference) => text(reference.url))
      .filter((url) => /^https?:\/\//i.test(url))
      .slice(0, maxReferences),
    affected: objects(value.affected).flatMap(readAffected),
  };
}

const readSeverity = (value: unknown): Severity[] =>
  objects(value)
    .map(({ type, score }) => ({ type: text(type, 20), score: text(score, 500) }))
    .filter(({ type, score }) => type !== '' && score !== '')
    .slice(0, 10);

/** GitHub uses `cwe_ids`; PyPA and others use `cwes` with objects. */
function readWeaknesses(specific: Json): string[] {
  const named = [
    ...texts(specific.cwe_ids),
    ...texts(specific.cwes),
    ...objects(specific.cwes).map((one) => text(one.cweId ?? one.id)),
  ];
  return [...new Set(named.filter((name) => /^CWE-\d{1,6}$/.test(name)))].slice(0, 20);
}

function readAffected(value: Json): Affected[] {
  const subject = isObject(value.package) ? value.package : {};
  const [ecosystem, name] = [text(subject.ecosystem, 200), text(subject.name, 500)];
  if (ecosystem === '' || name === '') return [];
  const specific = isObject(value.database_specific) ? value.database_specific : {};
  return [
    {
      ecosystem,
      name,
      ranges: objects(value.ranges).flatMap(readRange),
      versions: texts(value.versions).slice(0, maxVersions),
      severity: readSeverity(value.severity),
      informational: text(specific.informational, 50) || null,
    },
  ];
}

function readRange({ type, events }: Json): Range[] {
  if (type !== 'SEMVER' && type !== 'ECOSYSTEM') return [];
  const kinds = ['introduced', 'fixed', 'last_affected', 'limit'] as const;
  const read = objects(events).flatMap((event) =>
    kinds.flatMap((kind): RangeEvent[] =>
      typeof event[kind] === 'string' ? [{ kind, version: text(event[kind], 200) }] : [],
    ),
  );
  return [{ type, events: read.slice(0, maxEvents) }];
}
