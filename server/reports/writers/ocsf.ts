import type { ReportModel } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { jsonText } from './json-text.ts';
import { toEvent } from './ocsf-event.ts';
import { inPieces, jsonList } from './pieces.ts';

/**
 * Writes OCSF 1.9: an array of events, one per line, the form in which other tools write their findings to a file.
 *
 * Findings with an advisory or a package are Vulnerability Findings (2002); the others are Detection Findings (2004).
 * Triaged is In Progress; false positives and accepted risks are Suppressed, false positives with that verdict. All
 * closed findings have the activity Close. `time` is when the finding was first seen. `unmapped` contains the fields
 * that OCSF has no attribute for, and Assay's own values of the others.
 */
export const writeOcsf: ReportWriter = (report) => inPieces(textOf(report));

async function* textOf({ head, findings }: ReportModel): AsyncGenerator<Iterable<string>> {
  yield* jsonList('[', findings, (finding) => jsonText(toEvent(finding, head)));
  yield [']\n'];
}
