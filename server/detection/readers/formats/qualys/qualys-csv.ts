import { readCsv } from '../../csv.ts';
import type { Chunks, ReadDetection } from '../../format.ts';
import { FormatError } from '../../format-error.ts';
import { advisoryIdentifiers } from '../../identifiers.ts';
import { hostName, isFixed, plainText, portOf, readHostResult, scoreOf } from './qualys-result.ts';

/** The scan report as CSV, with or without the lines about the report before the names, and the CSV of PCI scans. */
export async function* qualysCsv(chunks: Chunks): AsyncGenerator<ReadDetection> {
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
