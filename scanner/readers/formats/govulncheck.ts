import type { Severity } from '../../contract/severity.ts';
import type { Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { hasPaths } from '../head.ts';
import { atLine, type JsonObject, objectAt, readJson, requiredText } from '../json/json.ts';
import { packageResult } from '../package-result.ts';
import { severityOf } from '../severity-words.ts';
import { object, objects, position, text } from '../values.ts';
import { type OsvAdvisory, readOsvAdvisory } from './osv-advisory.ts';

const source = 'govulncheck';

/** The degrees to which vulnerable code is used, in ascending order. Only a call is certain to matter. */
const reaches = ['module', 'package', 'symbol'] as const;
const severityOfReach: Record<(typeof reaches)[number], Severity> = {
  symbol: 'high',
  package: 'medium',
  module: 'low',
};

type Advisories = Map<string, OsvAdvisory>;
type Reached = { reach: (typeof reaches)[number]; finding: JsonObject };

/** A file describes thousands of advisories, which stay in memory. */
const maxDescription = 5_000;

/**
 * `govulncheck -json`: one message after another; an array of them is accepted too.
 *
 * One finding for each advisory and module, from the `finding` messages: `osv` messages only describe the examined
 * advisories, including those that do not affect the code. Severity: the advisory's if it has one, otherwise by
 * reachability: `high` if vulnerable code is called, `medium` if its package is imported, `low` if only the module is
 * required. Findings wait until the end, because the messages of one advisory get more exact: there are as many
 * findings as advisories, not as calls.
 */
export const govulncheck: Format = {
  name: 'govulncheck',
  title: 'govulncheck',
  recognise(head) {
    const has = (name: string) => hasPaths(head, name) || hasPaths(head, `[].${name}`);
    return has('config.scanner_name') || (has('config') && has('progress')) || (has('osv') && has('finding')) ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const advisories: Advisories = new Map();
    const found = new Map<string, Reached>();
    let messages = 0;
    for await (const event of readJson(chunks, [''], { manyRoots: true })) {
      if (event.kind !== 'item') continue;
      for (const value of Array.isArray(event.value) ? event.value : [event.value]) {
        const message = atLine(event, () => objectAt(value, event.path));
        if ('config' in message || 'finding' in message || 'osv' in message) messages += 1;
        context.version(source, object(message.config).scanner_version);
        atLine(event, () => takeMessage(message, advisories, found));
      }
    }
    if (messages === 0)
      throw new FormatError('This is not a file of govulncheck: it has no message “config”.', { path: '$' });
    for (const reached of found.values()) {
      const advisory = advisories.get(String(reached.finding.osv));
      if (advisory?.description?.length === maxDescription) context.cut('description', maxDescription);
      yield toResult(reached, advisories);
    }
  },
};

function takeMessage(message: JsonObject, advisories: Advisories, found: Map<string, Reached>): void {
  if (message.osv !== undefined) {
    const advisory = readOsvAdvisory(objectAt(message.osv, ['osv']));
    advisories.set(advisory.id, {
      ...advisory,
      description: advisory.description?.slice(0, maxDescription),
      references: advisory.references.slice(0, 20),
    });
  }
  if (message.finding === undefined) return;
  const finding = objectAt(message.finding, ['finding']);
  const vulnerable = object(objects(finding.trace)[0]);
  const key = JSON.stringify([requiredText(finding, 'osv', ['finding']), vulnerable.module]);
  const reach = text(vulnerable.function) ? 'symbol' : text(vulnerable.package) ? 'package' : 'module';
  const before = found.get(key);
  if (!before || isNearer({ reach, finding }, before)) found.set(key, { reach, finding });
}

/**
 * Prefers the closest reachability, then the first by text: the choice among several calls must not depend on their
 * order.
 */
function isNearer(one: Reached, other: Reached): boolean {
  const difference = reaches.indexOf(one.reach) - reaches.indexOf(other.reach);
  return difference > 0 || (difference === 0 && JSON.stringify(one.finding) < JSON.stringify(other.finding));
}

function toResult({ reach, finding }: Reached, advisories: Advisories): ReadDetection {
  const id = text(finding.osv)!;
  const advisory = advisories.get(id);
  const trace = objects(finding.trace);
  const vulnerable = object(trace[0]);
  const caller = trace.findLast((frame) => text(object(frame.position).filename));
  const result = packageResult({
    source,
    advisory: id,
    aliases: advisory?.aliases,
    ecosystem: 'golang',
    name: text(vulnerable.module) ?? '',
    version: text(vulnerable.version),
    fixedVersion: text(finding.fixed_version),
    title: advisory?.title,
    description: [advisory?.description, reach === 'symbol' ? `Called:\n${traceText(trace)}` : undefined]
      .filter(Boolean)
      .join('\n\n'),
    severity: severityOf(advisory?.severityWord, advisory?.score, severityOfReach[reach]),
    score: advisory?.score,
    weaknesses: advisory?.weaknesses,
    url: `https://pkg.go.dev/vuln/${id}`,
    references: advisory?.references,
  });
  const place = object(caller?.position);
  const line = position(place.line);
  // The caller is shown, but is not part of the identity: it moves with the code.
  const calledFrom = { path: text(place.filename) ?? null, start_line: line, end_line: line };
  return { ...result, location: { ...result.location, ...(reach === 'symbol' ? calledFrom : {}) } };
}

const traceText = (trace: JsonObject[]): string =>
  trace
    .slice(0, 20)
    .map(
      (frame) => `- \`${[text(frame.package), text(frame.receiver), text(frame.function)].filter(Boolean).join('.')}\``,
    )
    .join('\n');
