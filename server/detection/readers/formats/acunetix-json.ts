import type { Suppression } from '../../contract/suppression.ts';
import type { Chunks, ReadDetection } from '../format.ts';
import { advisoryIdentifiers, weaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { withoutMarkup } from '../markup.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { number, object, objects, text, texts } from '../values.ts';
import { shownAddress, stableAddress, webResult } from '../web-result.ts';

/**
 * The JSON report of Acunetix 360, which Invicti (Netsparker) writes too. One finding for each type, address and names
 * of the parameters of the request; the values are the scanner's probes.
 */
export async function* acunetixJson(chunks: Chunks, source: string): AsyncGenerator<ReadDetection> {
  for await (const event of readJson(chunks, ['Vulnerabilities[*]'])) {
    requireRootMember(event, ['Target'], 'Acunetix');
    if (event.kind !== 'item') continue;
    const found = objectAt(event.value, event.path);
    const state = text(found.State) ?? '';
    if (!/\bfixed\b/i.test(state)) yield readFound(found, event.path, state, source);
  }
}

function readFound(found: JsonObject, path: JsonPath, state: string, source: string): ReadDetection {
  const name = requiredText(found, 'Name', path);
  const address = requiredText(found, 'Url', path);
  const type = text(found.Type) ?? name;
  const stable = stableAddress(address) ?? address;
  const classification = object(found.Classification);
  const rated = object(classification.Cvss31).BaseScore ?? object(classification.Cvss).BaseScore;
  const score = cvssScore(number(object(rated).Value)) || undefined;
  const parameters = objects(object(found.HttpRequest).Parameters).flatMap((one) => texts(one.Name));
  const names = [...new Set(parameters)].sort();
  const severity = text(found.Severity);
  return webResult({
    source,
    target: [stable, ...names],
    title: `${name} at ${stable}`,
    description: [found.Description, found.Impact]
      .map((one) => withoutMarkup(text(one)))
      .filter(Boolean)
      .join('\n\n'),
    severity: /^best ?practice$/i.test(severity ?? '') ? 'info' : severityOf(severity, score),
    rule: { id: type, name },
    location: { url: shownAddress(stable) },
    identifiers: [
      ...advisoryIdentifiers(...objects(found.KnownVulnerabilities).map((one) => text(one.Title))),
      ...weaknesses((text(classification.Cwe) ?? '').match(/\d+/g) ?? []),
    ],
    cvss_score: score,
    evidence: undefined,
    remediation: withoutMarkup(text(found.RemedialProcedure) ?? text(found.RemedialActions)),
    references: text(found.ExternalReferences)?.match(/https?:\/\/[^\s<>"']+/g) ?? [],
    suppression: suppressionOf(state),
  });
}

function suppressionOf(state: string): Suppression | undefined {
  if (/false ?positive/i.test(state))
    return { status: 'false_positive', reason: 'Marked as a false positive in Acunetix.' };
  return /accepted ?risk/i.test(state) ? { status: 'accepted_risk', reason: 'Accepted in Acunetix.' } : undefined;
}
