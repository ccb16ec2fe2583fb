import { type Severity, severityFromCvss } from '../../contract/severity.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { FormatError, jsonPathName } from '../format-error.ts';
import { hasPaths } from '../head.ts';
import { advisoryIdentifiers, weaknesses } from '../identifiers.ts';
import { atLine, type JsonObject, type JsonPath, objectAt, readJson } from '../json/json.ts';
import { filePath } from '../paths.ts';
import { cvssScore, severityFromWord } from '../severity-words.ts';
import { sourceName } from '../source-name.ts';
import { firstText, number, object, objects, position, text, texts } from '../values.ts';

/**
 * The classes of category “Findings”: security (2001, before 1.1), vulnerability, compliance, detection, data and
 * application security.
 */
const findingClasses = new Set([2001, 2002, 2003, 2004, 2006, 2007]);

const severities: Record<number, Severity> = {
  0: 'info',
  1: 'info',
  2: 'low',
  3: 'medium',
  4: 'high',
  5: 'critical',
  6: 'critical',
};

/**
 * OCSF events of the category Findings: one per line, an array, or a single event. Events of other classes are ignored.
 *
 * The source is the product in `metadata`. Identity: `finding_info.uid`, which does not change, and the resource.
 * Severity: `severity_id` (fatal is `critical`). Resolved results (status 4), passed checks and checks that are left to
 * people (Prowler's `status_code`) are not findings; suppressed (3) is an accepted risk, or a false positive if that is
 * the verdict (1). Prowler 4 also wrote status 3 for new results, with the right word.
 */
export const ocsf: Format = {
  name: 'ocsf',
  title: 'OCSF',
  isShared: true,
  recognise(head) {
    const has = (name: string) => hasPaths(head, name) || hasPaths(head, `[].${name}`);
    return has('class_uid') && (has('finding_info') || has('finding') || has('category_uid')) ? 1 : 0;
  },
  async *read(chunks, context) {
    for await (const event of readJson(chunks, [''], { manyRoots: true })) {
      if (event.kind !== 'item') continue;
      const values = Array.isArray(event.value) ? event.value : [event.value];
      for (const [index, value] of values.entries()) {
        const path = Array.isArray(event.value) ? [index] : [];
        yield* atLine(event, () => readEvent(objectAt(value, path), path, context));
      }
    }
  },
};

function readEvent(event: JsonObject, path: JsonPath, context: ReadContext): ReadDetection[] {
  if (number(event.class_uid) === undefined) {
    throw new FormatError('This is not an OCSF event: “class_uid” must be a number.', {
      path: jsonPathName([...path, 'class_uid']),
    });
  }
  if (!findingClasses.has(number(event.class_uid)!)) return [];
  const info = object(event.finding_info ?? event.finding);
  const product = object(object(event.metadata).product);
  const source = sourceName(text(product.name), 'ocsf');
  context.covers(source);
  context.version(source, product.version);
  if (event.status_id === 4 || object(event.compliance).status_id === 1) return [];
  if (/^(pass|passed|manual)$/i.test(text(event.status_code) ?? '')) return [];
  return [readFinding(event, info, source)];
}

function readFinding(event: JsonObject, info: JsonObject, source: string): ReadDetection {
  const vulnerability = object(objects(event.vulnerabilities)[0]);
  const advisory = object(vulnerability.cve ?? vulnerability.advisory);
  const resources = objects(event.resources).concat(objects([event.resource]));
  const where = resources
    .map((resource) => firstText(resource.uid, resource.name))
    .filter((name) => name !== undefined);
  const title = firstText(info.title, vulnerability.title, event.message) ?? 'Finding';
  const code = object(objects(vulnerability.affected_code)[0]);
  const file = object(code.file ?? object(objects(event.evidences)[0]).file);
  const score = cvssScore(number(object(objects(advisory.cvss)[0]).base_score));
  const line = position(code.start_line);
  return {
    source,
    identity: ['ocsf', text(info.uid) ?? title, ...(text(info.uid) ? [] : where)],
    equals: 'places',
    title,
    description: [
      firstText(info.desc, vulnerability.desc, event.message),
      text(event.status_detail),
      where.length > 0 && `Resources: ${where.slice(0, 50).join(', ')}`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    severity:
      severities[number(event.severity_id) ?? -1] ??
      severityFromWord(event.severity) ??
      (score === undefined ? 'info' : severityFromCvss(score)),
    rule: {
      id:
        firstText(
          advisory.uid,
          object(event.compliance).control,
          object(event.metadata).event_code,
          info.types && texts(info.types)[0],
          event.type_name,
          title,
        ) ?? title,
      name: title,
    },
    location: {
      path: filePath(firstText(file.path, file.name)),
      start_line: line,
      end_line: position(code.end_line) ?? line,
      url: text(info.src_url) ?? null,
    },
    identifiers: [
      ...advisoryIdentifiers(text(advisory.uid), title),
      ...weaknesses([
        object(advisory.cwe).uid,
        object(vulnerability.cwe).uid,
        ...objects(vulnerability.cwes)
          .concat(objects(advisory.related_cwes))
          .map((cwe) => cwe.uid),
      ]),
    ],
    cvss_score: score,
    remediation: firstText(object(event.remediation).desc, object(vulnerability.remediation).desc),
    references: [...texts(vulnerability.references), ...texts(object(event.remediation).references)],
    suppression:
      event.status_id === 3 && event.status !== 'New'
        ? {
            status: event.verdict_id === 1 ? 'false_positive' : 'accepted_risk',
            reason: text(event.comment) ?? 'Suppressed in the product.',
          }
        : undefined,
  };
}
