import type { Detector } from '@assay/scanner/contract/detector.ts';
import type { Static } from 'typebox';
import { listScannableDataSources } from '../data-sources/queries.ts';
import { findDetector, listDetectors } from '../detection/registry.ts';
import { invalid } from '../platform/errors.ts';
import { toName } from '../platform/name.ts';
import type { Db } from '../platform/postgres/database.ts';
import { mergeTimetable } from './merge-timetable.ts';
import { normaliseCron } from './next-run.ts';
import type { ScheduleFields, ScheduleRow } from './queries.ts';
import type { ScanScheduleUpdate } from './schedule-schema.ts';

type Input = Static<typeof ScanScheduleUpdate>;

/**
 * Returns the sources in a body: `source` is the short form of `sources` with one element. Undefined if neither is
 * given. Throws a 400 if they contradict each other.
 */
function readSources({ source, sources }: Input): string[] | null | undefined {
  if (source === undefined || source === null) return sources;
  if (sources !== undefined && (sources?.length !== 1 || sources[0] !== source)) {
    throw invalid('body', 'sources', `must be ["${source}"] or left out: source already names ${source}`);
  }
  return [source];
}

const namesOf = (sources: string[] | null) => {
  if (sources === null) return 'All scanners';
  const names = sources.map((type) => findDetector(type)?.name ?? type);
  return names.length > 3 ? `${names.length} scanners` : names.join(', ');
};

const automaticName = (sources: string[] | null, cron: string) => toName(`${namesOf(sources)}, ${normaliseCron(cron)}`);

const orBefore = <T>(given: T | undefined, before: T | undefined): T | null =>
  given === undefined ? (before ?? null) : given;

/** Applies `input` to `before` at the time `now`. Throws a 400 for an invalid timetable and for missing sources. */
export function mergeSchedule(before: ScheduleRow | null, input: Input, now: Date): ScheduleFields {
  const given = readSources(input);
  if (given === undefined && !before) {
    throw invalid('body', 'source', 'is required; for several, give sources instead, or null there for all');
  }
  const sources = orBefore(given, before?.sources);
  // A generated name changes with the fields from which it was generated.
  const givenName = before && before.name !== automaticName(before.sources, before.cron) ? before.name : undefined;
  return {
    name: input.name ?? givenName ?? automaticName(sources, input.cron ?? before?.cron ?? ''),
    sources,
    dataSourceIds: orBefore(input.data_sources, before?.dataSourceIds),
    dataSourceTags: orBefore(input.data_source_tags, before?.dataSourceTags),
    ...mergeTimetable(before, input, now),
  };
}

function requireDetectors(sources: string[] | null): Detector[] {
  if (sources === null) return listDetectors();
  return sources.map((type) => {
    const detector = findDetector(type);
    if (detector) return detector;
    const field = sources.length === 1 ? 'source' : 'sources';
    throw invalid('body', field, `must be the type of a detection source that the platform runs; ${type} is not one`);
  });
}

/**
 * Checks that the sources and data sources of a schedule exist, and that a source supports each data source. Throws a
 * 400 that names the invalid field.
 */
export async function checkSchedule(tx: Db, orgId: string, given: ScheduleFields): Promise<void> {
  const detectors = requireDetectors(given.sources);
  if (given.dataSourceIds === null) return;
  const kinds = [...new Set(detectors.flatMap(({ dataSourceKinds }) => dataSourceKinds))];
  const rows = await listScannableDataSources(tx, orgId, kinds, given.dataSourceIds);
  const known = new Set(rows.map((row) => row.id));
  const unknown = given.dataSourceIds.find((id) => !known.has(id));
  if (unknown === undefined) return;
  const scanners = given.sources?.join(', ') ?? 'a detection source';
  throw invalid(
    'body',
    'data_sources',
    `must be ids of data sources that ${scanners} can scan (${kinds.join(', ')}); ${unknown} is not one of them`,
  );
}
