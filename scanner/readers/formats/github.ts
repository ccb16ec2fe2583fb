import type { Severity } from '../../contract/severity.ts';
import type { Suppression } from '../../contract/suppression.ts';
import { codeResult } from '../code-result.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { FormatError, jsonPathName } from '../format-error.ts';
import { hasPaths } from '../head.ts';
import { advisoryIdentifiers, taggedWeaknesses, weaknesses } from '../identifiers.ts';
import { atLine, type JsonObject, type JsonPath, objectAt, readJson } from '../json/json.ts';
import { packageResult } from '../package-result.ts';
import { filePath } from '../paths.ts';
import { secretResult } from '../secret-result.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { sourceName } from '../source-name.ts';
import { firstText, number, object, objects, position, text, texts } from '../values.ts';

/**
 * Alerts of GitHub in the form of its REST API (“Code scanning”, “Dependabot alerts”, “Secret scanning”): an array,
 * several arrays in succession (`gh api --paginate`), or an array of arrays (`--slurp`); of a repository, or of an
 * organization, whose alerts contain their repository.
 *
 * The source is the tool that analysed the code, `dependabot`, or `github-secret-scanning`. Identity of code alerts:
 * the alert's address, which does not change. Fixed alerts and revoked secrets are not findings, dismissed ones
 * suppressed.
 */
export const github: Format = {
  name: 'github',
  title: 'GitHub alerts',
  recognise(head) {
    const isAlert = (start: string) =>
      [`${start}.most_recent_instance`, `${start}.security_advisory`, `${start}.secret_type`].some((path) =>
        hasPaths(head, path, `${start}.number`),
      );
    return isAlert('[]') || isAlert('[][]') ? 1 : 0;
  },
  async *read(chunks, context) {
    for await (const event of readJson(chunks, ['[*]'], { manyRoots: true })) {
      if (event.kind === 'end' && event.pattern === '' && event.keys !== null)
        throw new FormatError('This is not a file of GitHub’s alerts, which are an array.', { path: '$' });
      if (event.kind !== 'item') continue;
      const page = Array.isArray(event.value) ? event.value : [event.value];
      for (const [index, value] of page.entries()) {
        const path = Array.isArray(event.value) ? [...event.path, index] : event.path;
        yield* atLine(event, () => readAlert(objectAt(value, path), path, context));
      }
    }
  },
};

function readAlert(alert: JsonObject, path: JsonPath, context: ReadContext): ReadDetection[] {
  const read = 'most_recent_instance' in alert ? code : 'security_advisory' in alert ? dependency : secret;
  if (read === secret && text(alert.secret_type) === undefined) {
    const names = 'most_recent_instance”, “security_advisory” or “secret_type';
    throw new FormatError(`This is not a GitHub alert: it has no “${names}”.`, { path: jsonPathName(path) });
  }
  const result = read(alert, path, context);
  context.covers(result.source);
  context.version(result.source, object(alert.tool).version);
  const isOver = alert.state === 'fixed' || /^(revoked|pattern_deleted|pattern_edited)$/.test(String(alert.resolution));
  return isOver ? [] : [{ ...result, suppression: suppressionOf(alert) }];
}

/** The address of an alert, which does not change while the alert exists. */
function addressOf(alert: JsonObject, path: JsonPath): string {
  const address = firstText(alert.html_url, alert.url);
  if (address !== undefined) return address;
  throw new FormatError('The member “html_url” must be a text.', { path: jsonPathName([...path, 'html_url']) });
}

/** Alerts of an organization contain the repository. */
const repositoryOf = (alert: JsonObject): string | undefined => text(object(alert.repository).full_name);

const inRepository = (alert: JsonObject): string | undefined =>
  repositoryOf(alert) && `Repository: ${repositoryOf(alert)}`;

function code(alert: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  const address = addressOf(alert, path);
  const rule = object(alert.rule);
  const instance = object(alert.most_recent_instance);
  const place = object(instance.location);
  const id = firstText(rule.id, rule.name) ?? 'unnamed';
  const tags = texts(rule.tags);
  const message = text(object(instance.message).text);
  const result = codeResult(
    {
      source: sourceName(text(object(alert.tool).name), 'github-code-scanning'),
      title: firstText(rule.description, rule.name, message) ?? id,
      description: [message, text(rule.full_description), inRepository(alert)].filter(Boolean).join('\n\n'),
      severity: severityOf(rule.security_severity_level ?? rule.severity, undefined, 'medium'),
      rule: { id, name: firstText(rule.name, rule.description), url: text(rule.help_uri), tags },
      location: {
        path: filePath(text(place.path)),
        start_line: position(place.start_line),
        end_line: position(place.end_line),
        start_column: position(place.start_column),
        end_column: position(place.end_column),
        commit: text(instance.commit_sha) ?? null,
      },
      content: undefined,
      identifiers: [...advisoryIdentifiers(id, message), ...taggedWeaknesses(tags)],
      references: [address],
    },
    context,
  );
  return { ...result, identity: ['github', address], equals: 'places' };
}

function dependency(alert: JsonObject): ReadDetection {
  const advisory = object(alert.security_advisory);
  const affected = object(alert.security_vulnerability);
  const used = object(alert.dependency);
  const found = object(used.package ?? affected.package);
  const score = cvssScore(number(object(advisory.cvss).score)) || undefined;
  const ghsa = firstText(advisory.ghsa_id, advisory.cve_id) ?? 'unknown';
  const result = packageResult({
    source: 'dependabot',
    advisory: ghsa,
    aliases: [text(advisory.cve_id) ?? '', ...objects(advisory.identifiers).flatMap((one) => texts(one.value))],
    ecosystem: text(found.ecosystem) ?? '',
    name: text(found.name) ?? 'an unnamed package',
    version: undefined,
    fixedVersion: text(object(affected.first_patched_version).identifier),
    manifest: text(used.manifest_path),
    title: text(advisory.summary),
    description: [
      text(advisory.description),
      text(affected.vulnerable_version_range) && `Vulnerable: ${affected.vulnerable_version_range}.`,
      inRepository(alert),
    ]
      .filter(Boolean)
      .join('\n\n'),
    severity: severityOf(firstText(affected.severity, advisory.severity), score),
    score,
    weaknesses: weaknesses(objects(advisory.cwes).map((one) => one.cwe_id)),
    url: /^GHSA-/.test(ghsa) ? `https://github.com/advisories/${encodeURIComponent(ghsa)}` : undefined,
    references: objects(advisory.references).flatMap((one) => texts(one.url)),
  });
  const repository = repositoryOf(alert);
  return repository ? { ...result, identity: [...result.identity, repository] } : result;
}

const validities: Record<string, Severity> = { active: 'critical', inactive: 'low' };

function secret(alert: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  const first = object(alert.first_location_detected);
  const place = object(first.details ?? first);
  const type = text(alert.secret_type) ?? 'secret';
  const name = text(alert.secret_type_display_name) ?? type;
  const validity = text(alert.validity) ?? 'unknown';
  const result = secretResult(
    {
      source: 'github-secret-scanning',
      rule: { id: type, name },
      secret: text(alert.secret),
      path: text(place.path),
      startLine: position(place.start_line),
      endLine: position(place.end_line),
      startColumn: position(place.start_column),
      endColumn: position(place.end_column),
      commit: text(place.commit_sha),
      severity: validities[validity] ?? 'high',
      description: [`${name}. Validity, as GitHub checked it: ${validity}.`, inRepository(alert)]
        .filter(Boolean)
        .join('\n\n'),
    },
    context,
  );
  if (result.identity[0] === 'secret') return result;
  return { ...result, identity: ['github', addressOf(alert, path)], equals: 'places' };
}

/** GitHub's reasons that deny the problem; its other reasons accept it. */
const noProblem = new Set(['false positive', 'false_positive', 'inaccurate', 'not_used']);

function suppressionOf(alert: JsonObject): Suppression | undefined {
  if (!/^(dismissed|auto_dismissed|resolved)$/.test(String(alert.state))) return undefined;
  const reason = firstText(alert.dismissed_reason, alert.resolution) ?? 'dismissed';
  const comment = firstText(alert.dismissed_comment, alert.resolution_comment);
  return {
    status: noProblem.has(reason) ? 'false_positive' : 'accepted_risk',
    reason: `Dismissed in GitHub: ${reason.replaceAll('_', ' ')}${comment ? `. ${comment}` : '.'}`,
  };
}
