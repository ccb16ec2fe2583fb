import { detailedFindings, type ReportFinding } from '../report-model.ts';

/**
 * Returns the findings that a document details. The others are read and dropped, so that the sender does not write to a
 * closed stream.
 */
export async function readDetailed(batches: AsyncIterable<ReportFinding[]>): Promise<ReportFinding[]> {
  const detailed: ReportFinding[] = [];
  for await (const batch of batches) detailed.push(...batch.slice(0, Math.max(0, detailedFindings - detailed.length)));
  return detailed;
}
