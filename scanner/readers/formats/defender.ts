import { type CsvRow, readCsv } from '../csv.ts';
import { peek } from '../decode.ts';
import type { Chunks, Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { hasPaths } from '../head.ts';
import { advisoryIdentifiers } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { withoutMarkup } from '../markup.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { firstText, number, object, objects, text, texts } from '../values.ts';

const source = 'defender-for-cloud';

/**
 * Microsoft Defender for Cloud (before: Azure Security Center, Azure Defender): the CSV export of recommendations, and
 * assessments and sub-assessments in the form of its REST API (`Microsoft.Security/assessments`), as the API, `az
 * security assessment list` and Resource Graph write them. One finding for each assessment and resource, by its key.
 * Severity: Defender's word. Healthy and not applicable ones are not findings.
 */
export const defender: Format = {
  name: 'defender',
  title: 'Microsoft Defender for Cloud',
  recognise(head) {
    if (head.kind === 'text')
      return /\brecommendationName\b/i.test(head.text.slice(0, 4_000)) &&
        /\bresourceId\b/i.test(head.text.slice(0, 4_000))
        ? 1
        : 0;
    const types = ['value[].type', 'data[].type', '[].type'].map((path) => head.values.get(path) ?? '');
    if (types.some((type) => /^microsoft\.security\/assessments/i.test(type))) return 1;
    return hasPaths(head, '[].resourceDetails', '[].status.code') ? 0.9 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const [start, whole] = await peek(chunks, 1_024);
    if (!/^\s*[[{]/.test(start.toString('latin1'))) {
      for await (const row of readCsv(whole, ['resourceid', 'recommendationname', 'state'], 'Defender for Cloud'))
        if (isUnhealthy(row.values.state)) yield readRow(row);
      return;
    }
    yield* jsonResults(whole, (reason) => context.incomplete(reason));
  },
};

const isUnhealthy = (state: unknown): boolean => /^unhealthy$/i.test(String(state ?? ''));

type Assessed = {
  key: string;
  resource: string;
  title: string;
  texts: Array<string | undefined>;
  severity: string | undefined;
  score?: number | undefined;
  remediation: string | undefined;
  identifiers: string[];
  references: string[];
  tags?: string[];
};

/** `…/resourceGroups/web/providers/Microsoft.Storage/storageAccounts/shop` is `shop`. */
const nameOf = (resource: string): string => resource.slice(resource.lastIndexOf('/') + 1);

const readAssessed = (found: Assessed): ReadDetection => ({
  source,
  // Azure writes the names in resource ids inconsistently in upper or lower case.
  identity: ['defender', found.key.toLowerCase(), found.resource.toLowerCase()],
  equals: 'places',
  title: found.resource ? `${found.title}: ${nameOf(found.resource)}` : found.title,
  description: [...found.texts.map(withoutMarkup), found.resource && `Resource: \`${found.resource}\``]
    .filter(Boolean)
    .join('\n\n'),
  severity: severityOf(found.severity, found.score, 'medium'),
  rule: { id: found.key, name: found.title, tags: found.tags },
  identifiers: found.identifiers,
  cvss_score: found.score,
  remediation: withoutMarkup(found.remediation),
  references: found.references,
});

function readRow({ values, line }: CsvRow): ReadDetection {
  const of = (name: string) => values[name] || undefined;
  const key = of('recommendationname');
  if (key === undefined) throw new FormatError('A row must have a “recommendationName”.', { line });
  return readAssessed({
    key,
    resource: of('resourceid') ?? '',
    title: of('recommendationdisplayname') ?? key,
    texts: [of('description'), of('subscriptionname') && `Subscription: ${of('subscriptionname')}`],
    severity: of('severity'),
    remediation: of('remediationsteps'),
    identifiers: advisoryIdentifiers(of('recommendationdisplayname')),
    references: [of('azureportalrecommendationlink') ?? ''],
  });
}

async function* jsonResults(chunks: Chunks, incomplete: (reason: string) => void): AsyncGenerator<ReadDetection> {
  for await (const event of readJson(chunks, ['value[*]', 'data[*]', '[*]', 'nextLink', 'skip_token'])) {
    requireRootMember(event, ['value', 'data'], 'Defender for Cloud');
    if (event.kind !== 'item') continue;
    if (event.pattern === 'nextLink' || event.pattern === 'skip_token') {
      if (text(event.value)) incomplete('The file is one page of several of Defender’s answer.');
      continue;
    }
    const item = objectAt(event.value, event.path);
    const properties = 'properties' in item ? objectAt(item.properties, [...event.path, 'properties']) : item;
    const details = objectAt(properties.resourceDetails, [...event.path, 'resourceDetails']);
    const status = objectAt(properties.status, [...event.path, 'status']);
    if (isUnhealthy(status.code)) yield readItem(item, properties, details, event.path);
  }
}

function readItem(item: JsonObject, properties: JsonObject, details: JsonObject, path: JsonPath): ReadDetection {
  const id = requiredText(item, 'id', path);
  const data = object(properties.additionalData);
  const status = object(properties.status);
  const metadata = object(properties.metadata);
  const isPart = /\/subassessments\//i.test(id);
  const key = isPart ? (text(properties.id) ?? id) : (text(item.name) ?? id);
  const title = firstText(properties.displayName, metadata.displayName) ?? key;
  const scores = Object.values(object(data.cvss)).map((value) => number(object(value).base));
  const cves = objects(data.cve);
  return readAssessed({
    key,
    resource:
      firstText(details.id, details.Id, details.nativeResourceId) ??
      id.replace(/\/providers\/Microsoft\.Security\/.*/i, ''),
    title,
    texts: [firstText(metadata.description, properties.description), text(properties.impact), text(status.description)],
    severity: firstText(metadata.severity, status.severity),
    score: cvssScore(scores.at(-1)),
    remediation: firstText(metadata.remediationDescription, properties.remediation),
    identifiers: advisoryIdentifiers(title, ...cves.flatMap((one) => texts(one.title))),
    references: [text(object(properties.links).azurePortal) ?? '', ...cves.flatMap((one) => texts(one.link))],
    tags: [...texts(metadata.categories), ...texts(properties.category)],
  });
}
