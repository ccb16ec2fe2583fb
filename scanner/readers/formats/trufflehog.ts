import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { atLine, type JsonObject, type JsonPath, objectAt, readJson, requiredText } from '../json/json.ts';
import { secretResult } from '../secret-result.ts';
import { firstText, object, position, text, texts } from '../values.ts';

const source = 'trufflehog';

/**
 * TruffleHog 3's JSON, one result per line (or an array), and version 2's.
 *
 * Severity: verified secrets are `critical`, unverified ones `high`, those of version 2, which measured only
 * randomness, `medium`. Log lines among the results are skipped.
 */
export const trufflehog: Format = {
  name: 'trufflehog',
  title: 'TruffleHog',
  recognise(head) {
    const has = (...names: string[]) =>
      hasPaths(head, ...names) || hasPaths(head, ...names.map((name) => `[].${name}`));
    // Rusty Hog's tools have the members of version 2 except the branch.
    return has('SourceMetadata', 'DetectorName') || has('stringsFound', 'commitHash', 'branch') ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, [''], { manyRoots: true })) {
      if (event.kind !== 'item') continue;
      const results = Array.isArray(event.value) ? event.value : [event.value];
      for (const [index, value] of results.entries()) {
        const path = Array.isArray(event.value) ? [index] : [];
        yield* atLine(event, () => [...readLine(objectAt(value, path), path, context)]);
      }
    }
  },
};

function* readLine(line: JsonObject, path: JsonPath, context: ReadContext): Generator<ReadDetection> {
  if ('stringsFound' in line) yield* secondVersion(line, context);
  else if (!('level' in line && 'msg' in line)) yield thirdVersion(line, path, context);
}

function thirdVersion(line: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  const name = requiredText(line, 'DetectorName', path);
  const place = object(Object.values(object(object(line.SourceMetadata).Data))[0]);
  const secret = firstText(line.RawV2, line.Raw);
  return secretResult(
    {
      source,
      rule: { id: name.toLowerCase(), name: `${name} secret` },
      secret,
      line: text(line.Redacted),
      path: firstText(place.file, place.filename, place.key, place.link),
      startLine: position(place.line),
      commit: text(place.commit),
      url: text(place.link),
      severity: line.Verified === true ? 'critical' : 'high',
      description: `${text(line.DetectorDescription) ?? `${name} secret.`} ${
        line.Verified === true
          ? 'TruffleHog has verified that it works.'
          : 'TruffleHog could not verify whether it works.'
      }`,
    },
    context,
  );
}

function* secondVersion(line: JsonObject, context: ReadContext): Generator<ReadDetection> {
  const reason = text(line.reason) ?? 'Secret';
  for (const secret of texts(line.stringsFound)) {
    yield secretResult(
      {
        source,
        rule: { id: reason.toLowerCase().replace(/[^a-z0-9]+/g, '-'), name: reason },
        secret,
        path: text(line.path),
        commit: text(line.commitHash),
        severity: 'medium',
      },
      context,
    );
  }
}
