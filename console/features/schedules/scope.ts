import type { DataSource, DetectionSource, ScanSchedule } from '@assay/client';

type Scope = Pick<ScanSchedule, 'sources' | 'data_sources' | 'data_source_tags'>;
type Place = Pick<DataSource, 'id' | 'name' | 'kind' | 'tags'>;
type Scanner = Pick<DetectionSource, 'type' | 'name' | 'mode' | 'status' | 'data_source_kinds'>;

const or = new Intl.ListFormat('en', { type: 'disjunction' });

/** The scanners of a schedule in words: "Secrets, Code". */
export const scannersOf = ({ sources }: Scope, nameOf: (type: string) => string): string =>
  sources === null ? 'All scanners' : sources.map(nameOf).join(', ');

/** The data sources of a schedule in words: "ledger, tagged production". */
export function targetsOf({ data_sources: ids, data_source_tags: tags }: Scope, places: readonly Place[]): string {
  const tagged = tags && `tagged ${or.format(tags)}`;
  if (ids === null) return tagged === null ? 'All data sources' : tagged.replace('t', 'T');
  if (ids.length === 0 && tagged === null) return 'None left';
  const names = ids.map((id) => places.find((place) => place.id === id)?.name ?? id);
  return [...names, ...(tagged ? [tagged] : [])].join(', ');
}

/** Whether a scanner can run now. Others are pushed or lack something. */
export const isReady = ({ mode, status }: Scanner): boolean => mode === 'scan' && status === 'connected';

/** The number of data sources that each scanner of a schedule would scan now, and of all of them together. */
export function coveredNow(scope: Scope, scanners: readonly Scanner[], places: readonly Place[]) {
  const { sources, data_sources: ids, data_source_tags: tags } = scope;
  const isCovered = ({ id, tags: own }: Place) =>
    (ids === null && tags === null) || ids?.includes(id) || own.some((tag) => tags?.includes(tag));
  const covered = places.filter(isCovered);
  const rows = scanners
    .filter((scanner) => (sources === null ? isReady(scanner) : sources.includes(scanner.type)))
    .map(({ name, data_source_kinds: kinds }) => ({ name, places: covered.filter(({ kind }) => kinds.includes(kind)) }))
    .filter((row) => row.places.length > 0);
  return {
    total: new Set(rows.flatMap((row) => row.places.map(({ id }) => id))).size,
    scanners: rows.map((row) => ({ name: row.name, count: row.places.length })),
  };
}
