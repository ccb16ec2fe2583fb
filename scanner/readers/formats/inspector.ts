import type { Format, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { advisoryIdentifiers, weaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { filePath } from '../paths.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { firstText, number, object, objects, position, text, texts } from '../values.ts';

const source = 'inspector';

/**
 * Findings of Amazon Inspector in the form of its API (`aws inspector2 list-findings`, “Finding”) and of its exports to
 * S3: vulnerable packages, code, and reachable networks. Identity: the finding's ARN, as in the findings that Inspector
 * sends to Security Hub, so that both are one. Closed findings are left out, suppressed ones are accepted risks.
 */
export const inspector: Format = {
  name: 'inspector',
  title: 'Amazon Inspector',
  recognise: (head) => (hasPaths(head, 'findings[].findingArn') || hasPaths(head, '[].findingArn') ? 1 : 0),
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['findings[*]', '[*]', 'nextToken'])) {
      requireRootMember(event, ['findings'], 'Amazon Inspector');
      if (event.kind !== 'item') continue;
      if (event.pattern === 'nextToken') {
        if (text(event.value)) context.incomplete('The file is one page of several of Inspector’s answer.');
        continue;
      }
      yield* readFinding(objectAt(event.value, event.path), event.path);
    }
  },
};

function* readFinding(finding: JsonObject, path: JsonPath): Generator<ReadDetection> {
  const arn = requiredText(finding, 'findingArn', path);
  if (finding.status === 'CLOSED') return;
  const vulnerability = object(finding.packageVulnerabilityDetails);
  const code = object(finding.codeVulnerabilityDetails);
  const file = object(code.filePath);
  const packages = objects(vulnerability.vulnerablePackages);
  const score = cvssScore(
    number(finding.inspectorScore) ?? number(objects(vulnerability.cvss)[0]?.baseScore) ?? undefined,
  );
  const title = text(finding.title) ?? arn;
  const advice = object(object(finding.remediation).recommendation);
  const id = firstText(vulnerability.vulnerabilityId, code.ruleId, code.detectorId, finding.type) ?? title;
  const line = position(file.startLine);
  yield {
    source,
    identity: ['asff', arn],
    equals: 'places',
    title,
    description: [
      text(finding.description),
      listed(
        'Resources',
        objects(finding.resources).flatMap((one) => texts(one.id)),
      ),
      listed('Packages', packages.map(packageName)),
    ]
      .filter(Boolean)
      .join('\n\n'),
    // Inspector has not rated the vulnerability yet.
    severity: severityOf(finding.severity === 'UNTRIAGED' ? undefined : finding.severity, score),
    rule: {
      id,
      name: firstText(code.detectorName, title),
      url: text(vulnerability.sourceUrl),
      tags: texts(code.detectorTags),
    },
    location: {
      path: filePath(firstText(file.filePath, packages[0]?.filePath)),
      start_line: line,
      end_line: position(file.endLine) ?? line,
      package: packageOf(packages[0]),
    },
    identifiers: [
      ...advisoryIdentifiers(id, title, ...texts(vulnerability.relatedVulnerabilities)),
      ...weaknesses([...texts(code.cwes), ...texts(finding.cwes)]),
    ],
    cvss_score: score,
    remediation: firstText(advice.text === 'None Provided' ? undefined : advice.text, packages[0]?.remediation),
    references: [...texts(advice.Url), ...texts(vulnerability.sourceUrl), ...texts(vulnerability.referenceUrls)],
    ...(finding.status === 'SUPPRESSED' && {
      suppression: { status: 'accepted_risk' as const, reason: 'Suppressed in Amazon Inspector.' },
    }),
  };
}

const listed = (title: string, names: string[]): string =>
  names.length > 0
    ? `${title}:\n${names
        .slice(0, 50)
        .map((name) => `- \`${name}\``)
        .join('\n')}`
    : '';

const packageName = (found: JsonObject): string =>
  [text(found.name), text(found.version)].filter(Boolean).join(' ') || 'unnamed';

function packageOf(found: JsonObject | undefined) {
  const name = text(found?.name);
  if (found === undefined || name === undefined) return null;
  return {
    ecosystem: (text(found.packageManager) ?? '').toLowerCase(),
    name,
    version: text(found.version) ?? null,
    fixed_version: text(found.fixedInVersion)?.replace(/^NotAvailable$/, '') || null,
    purl: null,
  };
}
