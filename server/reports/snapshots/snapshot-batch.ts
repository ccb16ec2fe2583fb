import type { ReportFinding } from '../report-model.ts';

export const findingsPerBatch = 500;

/** A stored finding of a snapshot. `places` is null if `location` is the only place. */
type StoredFinding = Omit<ReportFinding, 'places'> & { places: ReportFinding['places'] | null };

/** Returns the JSON text of a batch from those of its findings. It is stored compressed. */
export const batchText = (findings: string[]): string => `[${findings.join(',')}]`;

const placeOf = ({ path, start_line, end_line, commit }: ReportFinding['location']) => ({
  path,
  start_line,
  end_line,
  commit,
});

/** Parses the findings of a decompressed batch. */
export const readBatch = (batch: Buffer): ReportFinding[] => readFindings(batch.toString());

/** Parses the JSON text of a list of findings. */
export function readFindings(text: string): ReportFinding[] {
  const findings = JSON.parse(text) as StoredFinding[];
  for (const finding of findings) finding.places ??= [placeOf(finding.location)];
  return findings as ReportFinding[];
}
