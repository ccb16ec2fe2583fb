import type { Suppression } from '../../contract/suppression.ts';
import { type CsvRow, readCsv } from '../csv.ts';
import { peek } from '../decode.ts';
import type { Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { advisoryIdentifiers } from '../identifiers.ts';
import { packageResult } from '../package-result.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { number } from '../values.ts';

const source = 'wiz';

/**
 * Wiz's CSV exports of issues and of vulnerability findings. (Their columns: Wiz's own names, as in the test files of
 * public importers.) An issue is identified by its control and resource, a vulnerability by the package and the asset.
 * Severity: Wiz's word, for vulnerabilities the vendor's. Resolved results are not findings; rejected and ignored ones
 * arrive with that decision.
 */
export const wiz: Format = {
  name: 'wiz',
  title: 'Wiz (CSV)',
  recognise(head) {
    const [header = ''] = head.text.slice(0, 8_000).split('\n', 1);
    return head.kind === 'text' && (isIssues(header) || isVulnerabilities(header)) ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const [start, whole] = await peek(chunks, 8_000);
    const [header = ''] = start.toString('utf8').split('\n', 1);
    const hasIssues = !isVulnerabilities(header);
    const required = hasIssues ? ['title', 'severity', 'issue id'] : ['name', 'wizurl', 'detailedname'];
    for await (const row of readCsv(whole, required, 'Wiz')) {
      if (/^resolved$/i.test(row.values.status ?? '') && hasIssues) continue;
      if (/^resolved$/i.test(row.values.findingstatus ?? '')) continue;
      yield hasIssues ? readIssue(row) : readVulnerability(row);
    }
  },
};

const isIssues = (header: string): boolean => /\bIssue ID\b/i.test(header) && /\bWiz URL\b/i.test(header);
const isVulnerabilities = (header: string): boolean => /\bWizURL\b/i.test(header) && /\bDetailedName\b/i.test(header);

function readIssue({ values, line }: CsvRow): ReadDetection {
  const of = (name: string) => values[name] || undefined;
  const title = of('title');
  if (title === undefined) throw new FormatError('A row must have a “Title”.', { line });
  const resource = of('resource external id') ?? of('resource vertex id') ?? of('resource name') ?? '';
  const name = of('resource name') ?? resource;
  const about = [of('resource type'), name && `\`${name}\``].filter(Boolean).join(' ');
  const where = [of('resource platform'), of('subscription name') ?? of('subscription id'), of('resource region')];
  return {
    source,
    identity: ['wiz', of('control id') ?? title, resource],
    equals: 'places',
    title: name ? `${title.trim()}: ${name}` : title,
    description: [
      of('description') ?? title,
      about && `Resource: ${about}`,
      resource !== name && `\`${resource}\``,
      where.some(Boolean) && `In ${where.filter(Boolean).join(', ')}.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    severity: severityOf(of('severity'), undefined, 'medium'),
    rule: { id: of('control id') ?? title, name: title },
    identifiers: advisoryIdentifiers(title),
    remediation: of('remediation recommendation'),
    references: [of('wiz url') ?? '', of('cloud provider url') ?? ''],
    suppression: suppressionOf(of('status'), of('resolution'), of('note')),
  };
}

function suppressionOf(status: string | undefined, reason = '', note = ''): Suppression | undefined {
  if (!/^(rejected|ignored)$/i.test(status ?? '')) return undefined;
  return {
    status: /false.?positive/i.test(reason) ? 'false_positive' : 'accepted_risk',
    reason: `${status} in Wiz${reason ? `: ${reason.replaceAll('_', ' ').toLowerCase()}` : ''}.${note ? ` ${note}` : ''}`,
  };
}

function readVulnerability({ values, line }: CsvRow): ReadDetection {
  const of = (name: string) => values[name] || undefined;
  const advisory = of('name');
  const name = of('detailedname');
  if (advisory === undefined || name === undefined)
    throw new FormatError('A row must have a “Name” and a “DetailedName”.', { line });
  const score = cvssScore(number(of('score') ?? of('cvssscore')));
  const asset = of('provideruniqueid') ?? of('assetid') ?? of('assetname') ?? '';
  const result = packageResult({
    source,
    advisory,
    aliases: [of('link') ?? ''],
    ecosystem: (of('detectionmethod') ?? '').toLowerCase(),
    name,
    version: of('version'),
    fixedVersion: of('fixedversion'),
    manifest: of('locationpath'),
    description: [
      of('description') ?? of('cvedescription') ?? `${advisory} affects ${name}.`,
      of('assetname') && `Asset: \`${of('assetname')}\``,
    ]
      .filter(Boolean)
      .join('\n\n'),
    severity: severityOf(of('severity') ?? of('vendorseverity') ?? of('cvssseverity'), score, 'medium'),
    score,
    url: of('link'),
    references: [of('wizurl') ?? ''],
    suppression: suppressionOf(of('findingstatus'), of('resolutionreason')),
  });
  return { ...result, identity: [...result.identity, asset], remediation: result.remediation ?? of('remediation') };
}
