import type { Severity } from '../../contract/severity.ts';
import { severityFromCvss } from '../../contract/severity.ts';
import type { Suppression } from '../../contract/suppression.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { advisoryIdentifiers } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { severityFromWord } from '../severity-words.ts';
import { sourceName } from '../source-name.ts';
import { firstText, number, object, objects, text, texts } from '../values.ts';

/**
 * The AWS Security Finding Format: `Findings` (or `findings`), or an array of findings.
 *
 * The source is the product (`Inspector`, `GuardDuty`). Identity: the finding's Id, which the product keeps. Severity:
 * the label, or else the normalised 0-100. Archived, resolved and passed results are not findings; those suppressed in
 * Security Hub are accepted risks.
 */
export const asff: Format = {
  name: 'asff',
  title: 'AWS Security Hub (ASFF)',
  isShared: true,
  recognise(head) {
    return ['[]', 'Findings[]', 'findings[]'].some((start) =>
      hasPaths(head, `${start}.SchemaVersion`, `${start}.ProductArn`),
    )
      ? 1
      : // The response of Security Hub's API without findings.
        /^\{\s*"Findings"\s*:\s*\[\s*\]\s*\}\s*$/.test(head.text)
        ? 0.8
        : 0;
  },
  async *read(chunks, context) {
    for await (const event of readJson(chunks, ['Findings[*]', 'findings[*]', '[*]'])) {
      requireRootMember(event, ['Findings', 'findings'], 'ASFF');
      if (event.kind !== 'item') continue;
      const finding = objectAt(event.value, event.path);
      const result = readFinding(finding, event.path, context);
      if (isOpen(finding)) yield result;
    }
  },
};

function isOpen(finding: JsonObject): boolean {
  const status = object(finding.Compliance).Status;
  return (
    finding.RecordState !== 'ARCHIVED' &&
    object(finding.Workflow).Status !== 'RESOLVED' &&
    status !== 'PASSED' &&
    status !== 'NOT_AVAILABLE'
  );
}

function readFinding(finding: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  const id = requiredText(finding, 'Id', path);
  const fields = object(finding.ProductFields);
  const source = sourceName(firstText(finding.ProductName, fields['aws/securityhub/ProductName']), 'asff');
  context.covers(source);
  const resources = objects(finding.Resources)
    .map((resource) => text(resource.Id))
    .filter((name) => name !== undefined);
  const vulnerabilities = objects(finding.Vulnerabilities);
  const recommendation = object(object(finding.Remediation).Recommendation);
  const title = text(finding.Title) ?? id;
  const rule =
    firstText(
      fields.ControlId,
      object(finding.Compliance).SecurityControlId,
      vulnerabilities[0]?.Id,
      finding.GeneratorId,
    ) ?? title;
  return {
    source,
    identity: ['asff', id],
    equals: 'places',
    title,
    description: [
      text(finding.Description),
      resources.length > 0 &&
        `Resources:\n${resources
          .slice(0, 50)
          .map((name) => `- \`${name}\``)
          .join('\n')}`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    severity: severityFromLabel(object(finding.Severity)),
    rule: { id: rule, name: title, url: text(recommendation.Url) },
    location: { url: text(finding.SourceUrl) ?? null, package: packageOf(vulnerabilities[0]) },
    identifiers: advisoryIdentifiers(
      title,
      ...vulnerabilities.flatMap((one) => [text(one.Id), ...texts(one.RelatedVulnerabilities)]),
    ),
    remediation: text(recommendation.Text),
    references: [...texts(recommendation.Url), ...vulnerabilities.flatMap((one) => texts(one.ReferenceUrls))],
    suppression: suppressionOf(finding),
  };
}

function packageOf(vulnerability: JsonObject | undefined) {
  const affected = objects(vulnerability?.VulnerablePackages)[0];
  const name = text(affected?.Name);
  if (name === undefined) return null;
  return {
    ecosystem: (text(affected?.PackageManager) ?? '').toLowerCase(),
    name,
    version: text(affected?.Version) ?? null,
    fixed_version: text(affected?.FixedInVersion) ?? null,
    purl: null,
  };
}

/** ASFF's own bounds: 1-39 low, 40-69 medium, 70-89 high, 90-100 critical. */
function severityFromLabel(severity: JsonObject): Severity {
  const word = severityFromWord(severity.Label);
  if (word) return word;
  const normalised = number(severity.Normalized) ?? 0;
  return severityFromCvss(normalised / 10);
}

const suppressionOf = (finding: JsonObject): Suppression | undefined =>
  object(finding.Workflow).Status === 'SUPPRESSED'
    ? { status: 'accepted_risk', reason: text(object(finding.Note).Text) ?? 'Suppressed in Security Hub.' }
    : undefined;
