import type { Format, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { advisoryIdentifiers, weaknesses } from '../identifiers.ts';
import { atLine, type JsonObject, type JsonPath, objectAt, readJson, requiredText } from '../json/json.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { firstText, number, object, text, texts } from '../values.ts';
import { shownAddress, stableAddress, webResult } from '../web-result.ts';

const source = 'nuclei';

/**
 * Nuclei's JSON, one result per line or an array of results. Severity: the template's word (unknown is `info`).
 * Identity: template, matcher, and the address without its query, which Nuclei varies between attempts.
 */
export const nuclei: Format = {
  name: 'nuclei',
  title: 'Nuclei',
  recognise(head) {
    const has = (name: string) => hasPaths(head, name) || hasPaths(head, `[].${name}`);
    return (has('template-id') || has('templateID')) && has('info') ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, [''], { manyRoots: true })) {
      if (event.kind !== 'item') continue;
      const results = Array.isArray(event.value) ? event.value : [event.value];
      for (const [index, value] of results.entries()) {
        const path = Array.isArray(event.value) ? [index] : [];
        yield atLine(event, () => readResult(objectAt(value, path), path));
      }
    }
  },
};

/** A list, or in older versions a comma-separated string. */
const tagsOf = (tags: unknown): string[] => (typeof tags === 'string' ? tags.split(',') : texts(tags));

function readResult(result: JsonObject, path: JsonPath): ReadDetection {
  const id = text(result.templateID) ?? requiredText(result, 'template-id', path);
  const info = object(result.info);
  const classification = object(info.classification);
  const address = firstText(result['matched-at'], result.matched, result.host);
  const matcher = firstText(result['matcher-name'], result.matcher_name, result['extractor-name']);
  const name = text(info.name) ?? id;
  const score = cvssScore(number(classification['cvss-score']));
  return webResult({
    source,
    target: [stableAddress(address) ?? address ?? '', matcher ?? ''],
    title: `${name}${matcher ? ` (${matcher})` : ''} at ${stableAddress(address) ?? address ?? 'an unknown address'}`,
    description: text(info.description) ?? name,
    severity: severityOf(info.severity, score),
    rule: { id, name, url: text(result['template-url']), tags: tagsOf(info.tags) },
    location: { url: shownAddress(address) },
    identifiers: [
      ...advisoryIdentifiers(...texts(classification['cve-id']), id),
      ...weaknesses(texts(classification['cwe-id'])),
    ],
    cvss_score: score,
    evidence: texts(result['extracted-results']).join('\n') || undefined,
    remediation: text(info.remediation),
    references: texts(info.reference),
  });
}
