import { compress } from '../exports/compressed.ts';
import type { ReportFinding } from '../report-model.ts';

/** Findings of a snapshot as they are stored: those with one place only have null for `places`, as `location` tells it. */
type StoredFinding = Omit<ReportFinding, 'places'> & { places: ReportFinding['places'] | null };

/** JSON texts of stored findings as one batch. */
export const packBatch = (findings: string[]): Promise<Buffer> => compress(`[${findings.join(',')}]`);

const placeOf = ({ path, start_line, end_line, commit }: ReportFinding['location']) => ({
  ...{ path, start_line, end_line, commit },
});

/** The findings of a decompressed batch. */
export function readBatch(batch: Buffer): ReportFinding[] {
  const findings = JSON.parse(batch.toString()) as StoredFinding[];
  for (const finding of findings) finding.places ??= [placeOf(finding.location)];
  return findings as ReportFinding[];
}
