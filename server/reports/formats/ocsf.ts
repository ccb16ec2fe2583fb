import type { ReportModel } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { jsonText } from './json-text.ts';
import { toEvent } from './ocsf-event.ts';
import { inPieces, jsonList } from './pieces.ts';

/**
 * OCSF 1.9: an array of events, one a line, as other tools write their findings to a file. What has an advisory or a package is a Vulnerability
 * Finding (2002), the rest are Detection Findings (2004).
 *
 * Triaged is In Progress; false positives and accepted risks are Suppressed, the former with that verdict; both and what is
 * resolved have the activity Close. `time` is when the finding was first seen. What OCSF has no attribute for, and Assay's own
 * words for what it has, stand in `unmapped`.
 */
export const writeOcsf: ReportWriter = (report) => inPieces(textOf(report));

async function* textOf({ head, findings }: ReportModel): AsyncGenerator<Iterable<string>> {
  yield* jsonList('[', findings, (finding) => jsonText(toEvent(finding, head)));
  yield [']\n'];
}
