import { readCsv } from '../../csv.ts';
import { peek } from '../../decode.ts';
import type { Chunks, Format, ReadContext, ReadDetection } from '../../format.ts';
import { FormatError } from '../../format-error.ts';
import { advisoryIdentifiers } from '../../identifiers.ts';
import { readXml, type XmlEvent } from '../../xml/xml.ts';
import { hostName, isFixed, plainText, portOf, readHostResult, scannerVersion, scoreOf } from './qualys-result.ts';
import { apiPaths, apiResults, assetPaths, assetResults, scanPaths, scanResults } from './qualys-vm.ts';
import { wasPaths, wasResults } from './qualys-was.ts';

/** The scan report as CSV, with or without the lines about the report before the names, and the CSV of PCI scans. */
async function* qualysCsv(chunks: Chunks): AsyncGenerator<ReadDetection> {
  for await (const { values, line } of readCsv(chunks, ['ip', 'qid', 'severity'], 'Qualys', { preamble: true })) {
    const of = (...names: string[]) => names.map((name) => values[name]).find((value) => value && value !== '-');
    const id = of('qid');
    if (id === undefined) throw new FormatError('A row must have a “QID”.', { line });
    if (isFixed(of('vuln status'))) continue;
    const result = {
      id,
      host: hostName(of('ip'), [of('dns', 'hostname'), of('netbios')], of('tracking method')),
      port: portOf(of('port'), of('protocol')),
      type: of('type') ?? '',
      output: of('results', 'result'),
      suppression: /^approved$/i.test(of('false positive status') ?? '')
        ? { status: 'false_positive' as const, reason: 'Approved as a false positive by Qualys.' }
        : undefined,
    };
    yield readHostResult(result, {
      id,
      name: of('title', 'vuln title') ?? `QID ${id}`,
      severity: of('q_severity', 'severity'),
      score: scoreOf(of('cvss3.1 base'), of('cvss3 base'), of('cvss base', 'cvss_base')),
      description: [of('threat'), of('impact')].map(plainText).filter(Boolean).join('\n\n'),
      solution: plainText(of('solution')),
      identifiers: advisoryIdentifiers(of('cve id', 'cveid')),
      references: [],
    });
  }
}

/** The reader of each kind of report, by the root element in Qualys's DTDs. */
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
 * Qualys's reports as documented in its “VM/PC XML/DTD Reference” and “WAS API guide”: the scan report of hosts (XML
 * and CSV), the results of one scan, the host detections of the API, and web application and scan reports of WAS. One
 * finding for each QID, host and port, or QID, address and parameter. Severity: 5 is `critical`, 4 `high`, 3 `medium`,
 * 2 and 1 `low`; information gathered is `info`. Fixed results are not findings.
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
