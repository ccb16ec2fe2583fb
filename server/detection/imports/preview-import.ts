import { EqualCounter } from '@assay/scanner/readers/equal-counter.ts';
import Type, { type Static } from 'typebox';
import { dataSourceKinds } from '../../data-sources/kind.ts';
import { listScannableDataSources } from '../../data-sources/queries.ts';
import { SeverityCounts } from '../../findings/figures/count-schema.ts';
import { addMissing, countKnown, noneMissing } from '../../findings/figures/preview-sighting.ts';
import { Severity } from '../../findings/finding-schema.ts';
import { listFingerprintsAt } from '../../findings/merge-queries.ts';
import { idOf } from '../../platform/http/schema.ts';
import { autocommit, type Database } from '../../platform/postgres/database.ts';
import { ScanFindings } from '../scans/scan-schema.ts';
import { gapsOf, reasonsOf } from './gaps.ts';
import { type ImportRequest, readImport } from './receive-import.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ImportPreview = Type.Object(
  {
    format: Type.String({ description: 'The format of the file, as `format` names it.' }),
    sources: Type.Array(Type.String(), { description: 'Types of the detection sources that the file covers.' }),
    results: count('Results in the file, each finding once.'),
    suppressed: count('Results that the file marks as already decided.'),
    findings: ScanFindings,
    missing: Type.Object(
      {
        count: count(
          'Open findings and accepted risks here that the file no longer reports: what `close_missing` would close.',
        ),
        by_severity: SeverityCounts,
        samples: Type.Array(
          Type.Object({ id: idOf('fnd'), title: Type.String(), severity: Severity }, { $id: 'ImportPreviewSample' }),
          { maxItems: 10, description: 'Some of them, at most 10.' },
        ),
      },
      { $id: 'ImportPreviewMissing' },
    ),
    incomplete: Type.Array(Type.String(), {
      description:
        'Why the file may close nothing, or nothing of the named source, even with `close_missing`; empty when it may.',
    }),
    cut: Type.Array(Type.String(), {
      description:
        'Sentences with the number of results whose texts or lists are longer than the maximum, and are shortened.',
    }),
  },
  {
    $id: 'ImportPreview',
    description: 'The effect that an import would have. `findings.resolved` heeds `close_missing`.',
  },
);

export const importPreviewExample = {
  format: 'trivy',
  sources: ['trivy'],
  results: 24,
  suppressed: 0,
  findings: { new: 3, seen: 20, reopened: 1, resolved: 0 },
  missing: {
    count: 1,
    by_severity: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
    samples: [{ id: 'fnd_01jd3x8v6zewv8q6m1b2c3d4e5', title: 'CVE-2021-23337 in lodash', severity: 'high' }],
  },
  incomplete: [],
  cut: [],
} as const;

/**
 * Reads a result file like an import, and returns the effect of that import. Writes nothing. Memory use is bounded:
 * only the identity of each result is stored. Throws the errors of `receiveImport`.
 */
export async function previewImport(
  database: Database,
  orgId: string,
  dataSourceId: string,
  body: AsyncIterable<Uint8Array>,
  request: ImportRequest,
): Promise<Static<typeof ImportPreview>> {
  const seen = new Map<string, EqualCounter>();
  const findings = { new: 0, seen: 0, reopened: 0, resolved: 0 };
  let suppressed = 0;
  const file = await readImport(database, body, request, async (_sequence, batch) => {
    const { source } = batch;
    const counter = seen.get(source) ?? new EqualCounter();
    seen.set(source, counter);
    const fingerprints = batch.rows.map(({ cells }) => cells.fingerprint);
    const fresh = fingerprints.filter((fingerprint) => counter.next(fingerprint) === 0);
    suppressed += batch.suppressed.length;
    const known = await database.transaction(orgId, (tx) => countKnown(tx, orgId, { dataSourceId, source }, fresh));
    findings.new += fresh.length - known.known;
    findings.seen += known.known - known.resolved;
    findings.reopened += known.resolved;
  });
  const db = autocommit(database, orgId);
  const [dataSource] = await listScannableDataSources(db, orgId, dataSourceKinds, [dataSourceId]);
  const missing = noneMissing();
  const incomplete = [...file.incomplete];
  let closable = 0;
  const sources = file.sources.map(({ type }) => type);
  for (const source of new Set([...sources, ...seen.keys()])) {
    const counter = seen.get(source);
    const gaps = gapsOf(file.gaps, source, dataSource ?? { config: {} });
    const spared = new Set(await listFingerprintsAt(db, orgId, { dataSourceId, source }, gaps.uncovered));
    const wasSeen = (fingerprint: string) => counter?.has(fingerprint) || spared.has(fingerprint);
    const before = missing.count;
    await addMissing(database, orgId, { dataSourceId, source }, wasSeen, missing);
    if (gaps.partial.length === 0) closable += missing.count - before;
    incomplete.push(...reasonsOf(source, gaps));
  }
  if (request.closeMissing && file.incomplete.length === 0) findings.resolved = closable;
  return {
    format: file.format,
    sources,
    results: findings.new + findings.seen + findings.reopened,
    suppressed,
    findings,
    missing: { count: missing.count, by_severity: missing.bySeverity, samples: missing.samples },
    incomplete,
    cut: file.cut,
  };
}
