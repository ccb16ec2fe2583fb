import type { Suppression } from '../../contract/suppression.ts';
import type { Format, ReadResult } from '../format.ts';
import { FormatError, jsonPathName } from '../format-error.ts';
import { objectAt, readJson, requireRootMember } from '../json/json.ts';
import { ownGaps, ownResult, ownSource } from '../own-result.ts';
import { text } from '../values.ts';

const lists = ['findings[*]', 'ignored[*]', 'known[*]', '[*]'];

/**
 * The JSON of `assay scan`: the object of `--json`, or the array of `--format json`, which has no
 * information about coverage and therefore closes no findings.
 *
 * Each finding contains its source, and its identity is the fingerprint: see own-result.ts.
 */
export const assay: Format = {
  name: 'assay',
  title: 'Assay',
  isShared: true,
  recognise({ paths, values }) {
    if (values.get('tool.name') === 'Assay' && paths.has('coverage')) return 1;
    const start = paths.has('findings') ? 'findings[].' : '[].';
    const isFinding = ['fingerprint', 'occurrences', 'data_source', 'rule.id'].every((name) => paths.has(start + name));
    // Exports of the API have ids, and fingerprints with the organization's key.
    return isFinding && !paths.has(`${start}id`) ? 0.9 : 0;
  },
  async *read(chunks, context): AsyncGenerator<ReadResult> {
    const covered = new Set<string>();
    const named = new Set<string>();
    for await (const event of readJson(chunks, [...lists, 'coverage[*]', 'tool'])) {
      requireRootMember(event, ['findings', 'fingerprint'], 'Assay');
      if (event.kind !== 'item') continue;
      const { pattern, path } = event;
      const values = objectAt(event.value, path);
      if (pattern === 'tool') {
        for (const source of covered) context.version(source, values.version);
        continue;
      }
      const source = ownSource(values.source);
      if (source === undefined)
        throw new FormatError('This must name its “source”.', { path: jsonPathName([...path, 'source']) });
      if (pattern !== 'coverage[*]') {
        yield ownResult(
          values,
          { source, fingerprint: values.fingerprint, path, suppression: suppressionOf(values) },
          context,
        );
      } else {
        covered.add(source);
        context.gaps(source, ownGaps(values));
      }
      named.add(source);
      context.covers(source);
    }
    if (covered.size > 0)
      for (const source of [...named].filter((name) => !covered.has(name))) context.gaps(source, ownGaps(null));
    if (covered.size === 0)
      context.incomplete('The file does not say what the scan covered: send what --json or --format sarif writes.');
  },
};

function suppressionOf({ status, reason }: Record<string, unknown>): Suppression | undefined {
  if (status !== 'accepted_risk' && status !== 'false_positive') return undefined;
  return { status, reason: text(reason) ?? 'Ignored in the code.' };
}
