import { peek } from '../../decode.ts';
import type { Chunks, Format, ReadContext, ReadDetection } from '../../format.ts';
import { FormatError } from '../../format-error.ts';
import { readXml, type XmlEvent } from '../../xml/xml.ts';
import { qualysCsv } from './qualys-csv.ts';
import { scannerVersion } from './qualys-result.ts';
import { apiPaths, apiResults, assetPaths, assetResults, scanPaths, scanResults } from './qualys-vm.ts';
import { wasPaths, wasResults } from './qualys-was.ts';

/** The reader of each kind of report, by the root element that Qualys' DTDs name. */
const reports: Record<string, (events: AsyncIterable<XmlEvent>, context: ReadContext) => AsyncIterable<ReadDetection>> =
  {
    ASSET_DATA_REPORT: assetResults,
    HOST_LIST_VM_DETECTION_OUTPUT: apiResults,
    SCAN: scanResults,
    WAS_SCAN_REPORT: wasResults,
    WAS_WEBAPP_REPORT: wasResults,
  };

const wanted = new Set([...assetPaths, ...apiPaths, ...scanPaths, ...wasPaths]);

/**
 * Qualys' reports as its “VM/PC XML/DTD Reference” and “WAS API guide” document them: the scan report of hosts (XML and
 * CSV), the results of one scan, the host detections of the API, and web application and scan reports of WAS. One
 * finding for each QID, host and port, or QID, address and parameter. Severity: 5 is `critical`, 4 `high`, 3 `medium`,
 * 2 and 1 `low`; information gathered is `info`. Fixed ones are not findings.
 */
export const qualys: Format = {
  name: 'qualys',
  title: 'Qualys',
  recognise(head) {
    if (head.kind === 'text') return /^"?IP"?,(?:.*,)?"?QID"?,/im.test(head.text.slice(0, 16_000)) ? 1 : 0;
    if (head.element === 'SCAN') return /qualys|<CAT value=/i.test(head.text) ? 1 : 0;
    return head.kind === 'xml' && head.element in reports ? 1 : 0;
  },
  async *read(chunks, context) {
    const [start, whole] = await peek(chunks, 16_000);
    const beginning = start.toString('latin1').trimStart();
    if (beginning.startsWith('<')) yield* xmlResults(whole, context);
    else {
      context.covers('qualys');
      context.version('qualys', scannerVersion(beginning));
      yield* qualysCsv(whole);
    }
  },
};

async function* xmlResults(chunks: Chunks, context: ReadContext): AsyncGenerator<ReadDetection> {
  const events = readXml(chunks, wanted);
  const first = await events.next();
  const root = first.done || first.value.kind !== 'start' ? '' : first.value.path;
  const read = Object.hasOwn(reports, root) ? reports[root] : undefined;
  if (read === undefined)
    throw new FormatError(`This is not a file of Qualys: its root is not “${Object.keys(reports).join('”, “')}”.`, {
      line: 1,
    });
  context.covers(root.startsWith('WAS') ? 'qualys-was' : 'qualys');
  yield* read(events, context);
}
