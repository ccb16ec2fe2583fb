import { type CsvRow, readCsv } from '../csv.ts';
import type { Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { advisoryIdentifiers } from '../identifiers.ts';
import { severityOf } from '../severity-words.ts';

const source = 'prowler';

/**
 * Prowler's CSV, of version 4 and later (its source: `prowler/lib/outputs/csv/csv.py`); its JSON is OCSF. One finding
 * for each failed check and resource, by Prowler's own uid, so that CSV and OCSF produce the same findings. Checks that
 * passed or are left to people are not findings; muted ones are accepted risks.
 */
export const prowler: Format = {
  name: 'prowler',
  title: 'Prowler (CSV)',
  recognise: ({ kind, text }) => (kind === 'text' && /^"?AUTH_METHOD"?;"?TIMESTAMP"?;/.test(text) ? 1 : 0),
  async *read(chunks, context) {
    context.covers(source);
    const required = ['finding_uid', 'check_id', 'status', 'severity'];
    for await (const row of readCsv(chunks, required, 'Prowler', { delimiter: ';' })) {
      context.version(source, row.values.prowler_version);
      if (/^fail$/i.test(row.values.status ?? '')) yield readRow(row);
    }
  },
};

function readRow({ values, line }: CsvRow): ReadDetection {
  const of = (name: string) => values[name] || undefined;
  const uid = of('finding_uid');
  const check = of('check_id');
  if (uid === undefined || check === undefined)
    throw new FormatError('A row must have a “FINDING_UID” and a “CHECK_ID”.', { line });
  const title = of('check_title') ?? check;
  const resource = of('resource_uid') ?? of('resource_name');
  return {
    source,
    identity: ['ocsf', uid],
    equals: 'places',
    title,
    description: [of('status_extended'), of('description'), of('risk'), resource && `Resources: ${resource}`]
      .filter(Boolean)
      .join('\n\n'),
    severity: severityOf(of('severity'), undefined, 'medium'),
    rule: { id: check, name: title, url: of('related_url'), tags: (of('categories') ?? '').split(/[\s,|]+/) },
    identifiers: advisoryIdentifiers(title, of('status_extended')),
    remediation: of('remediation_recommendation_text'),
    references: [of('remediation_recommendation_url') ?? '', ...(of('additional_urls') ?? '').split(/[\s,|]+/)],
    ...(/^true$/i.test(of('muted') ?? '') && {
      suppression: { status: 'accepted_risk' as const, reason: 'Muted in Prowler.' },
    }),
  };
}
