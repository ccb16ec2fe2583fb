import type { Detector } from '@assay/scanner/contract/detector.ts';
import type { Static } from 'typebox';
import type { FigureCache } from '../../findings/figures/figure-cache.ts';
import { autocommit, type Database } from '../../platform/postgres/database.ts';
import { formatTimeOrNull } from '../../platform/times.ts';
import { storedAdvisories } from '../advisories/queries.ts';
import { sandboxOf } from '../external/sandbox-of.ts';
import { listDetectors } from '../registry.ts';
import { listPushSources, type PushSource } from './push-source-queries.ts';
import { countOpenBySource, listLastScans } from './queries.ts';
import type { DetectionSource } from './source-schema.ts';

type Source = Static<typeof DetectionSource>;
type Described = Omit<Source, 'open_findings' | 'last_scan'>;

async function describeDetector(detector: Detector, database: Database): Promise<Described> {
  const reason = await detector.unavailableReason(storedAdvisories(database));
  // Read afterwards, since looking for a program also finds its version.
  const { type, name, description, version, installCommand = null } = detector;
  return {
    type,
    name,
    description,
    version,
    install_command: installCommand,
    sandbox: await sandboxOf(type, detector.dataSourceKinds),
    mode: 'scan',
    data_source_kinds: detector.dataSourceKinds,
    status: reason === null ? 'connected' : 'unavailable',
    status_reason: reason,
  };
}

const describePush = ({ type, name }: PushSource): Described => ({
  type,
  name,
  description: `Results of ${name}, as they are imported.`,
  version: null,
  install_command: null,
  sandbox: null,
  mode: 'push',
  status: 'connected',
  status_reason: null,
  data_source_kinds: [],
});

/** A scanner whose program is missing but whose results were imported is listed as a push source. */
async function describe(
  database: Database,
  detector: Detector | undefined,
  pushed: PushSource | undefined,
): Promise<Described> {
  if (!detector) return describePush(pushed!);
  const described = await describeDetector(detector, database);
  if (!pushed || described.status !== 'unavailable') return described;
  return { ...describePush(pushed), install_command: described.install_command };
}

/**
 * Returns the detection sources with their figures: those that the platform runs, then the push sources. `after` is
 * the type of the last source on the previous page.
 */
export async function listSources(
  { database, figures }: { database: Database; figures: FigureCache },
  orgId: string,
  after: string | null,
  limit: number,
): Promise<Source[]> {
  const [pushed, counts] = await Promise.all([
    listPushSources(autocommit(database, orgId), orgId),
    figures.read(database, orgId, { question: ['open by source'] }, () => countOpenBySource(database, orgId)),
  ]);
  const detectors = listDetectors();
  const known = new Set(detectors.map(({ type }) => type));
  const types = [...known, ...pushed.map(({ type }) => type).filter((type) => !known.has(type))];
  const page = types.slice(after === null ? 0 : types.indexOf(after) + 1).slice(0, limit);
  const scans = new Map((await listLastScans(database, orgId, page)).map((scan) => [scan.source, scan]));
  const open = new Map(counts.map((row) => [row.source, row.open]));
  return Promise.all(
    page.map(async (type) => {
      const ofType = (one: { type: string }) => one.type === type;
      const described = await describe(database, detectors.find(ofType), pushed.find(ofType));
      const scan = scans.get(type);
      const last_scan = scan
        ? { id: scan.id, status: scan.status, completed_at: formatTimeOrNull(scan.completedAt) }
        : null;
      return { ...described, open_findings: open.get(type) ?? 0, last_scan };
    }),
  );
}
