import type { Severity } from '../../contract/severity.ts';
import { peek } from '../decode.ts';
import type { Chunks, Format, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { type JsonEvent, type JsonObject, type JsonPath, requireRootMember } from '../json/json.ts';
import { type Groups, readGroups } from '../json/json-groups.ts';
import { withoutMarkup } from '../markup.ts';
import { number, objects, text, texts } from '../values.ts';

const source = 'scoutsuite';

const levels: Record<string, Severity> = { danger: 'high', warning: 'medium' };

/**
 * ScoutSuite's results (its source: `ScoutSuite/output/result_encoder.py`, `ScoutSuite/core/processingengine.py`):
 * `scoutsuite-results/scoutsuite_results_*.js`, or the JSON in it. One finding for each rule and resource that it flags,
 * within the account. Severity: danger is `high`, warning `medium`.
 */
export const scoutsuite: Format = {
  name: 'scoutsuite',
  title: 'ScoutSuite',
  recognise(head) {
    if (head.kind === 'text') return assignment.test(head.text) ? 1 : 0;
    return hasPaths(head, 'last_run.ruleset_name', 'last_run.summary') ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const watch = (event: JsonEvent) => {
      account.watch(event);
      if (event.kind === 'item' && event.pattern === version) context.version(source, event.value);
    };
    for await (const { group, list, value, path } of readGroups(jsonOf(chunks), { ...account, watch })) {
      if (list !== null) yield* readRule(value, path, group);
    }
  },
};

const assignment = /^\s*scoutsuite_results\s*=\s*/;

/** Replaces the assignment before the JSON with spaces, so that positions in errors stay correct. */
async function* jsonOf(chunks: Chunks): Chunks {
  const [start, whole] = await peek(chunks, 1_024);
  let rest = assignment.exec(start.toString('latin1'))?.[0].length ?? 0;
  for await (const chunk of whole) {
    const length = Math.min(rest, chunk.length);
    rest -= length;
    yield length === 0 ? chunk : Buffer.from(chunk.map((byte, at) => (at < length && byte !== 0x0a ? 0x20 : byte)));
  }
}

const version = 'last_run.version';

const account: Groups = {
  at: [''],
  members: ['account_id', 'provider_name', 'provider_code'],
  lists: ['services.*.findings.*'],
  isKnown: (group) => 'account_id' in group && 'provider_code' in group,
  watched: [version],
  watch: (event) => requireRootMember(event, ['last_run', 'provider_code'], 'ScoutSuite'),
};

function* readRule(found: JsonObject, path: JsonPath, group: JsonObject): Generator<ReadDetection> {
  const id = String(path.at(-1));
  const severity = levels[text(found.level) ?? ''];
  if (severity === undefined || !(number(found.flagged_items) ?? 0)) return;
  const name = withoutMarkup(text(found.description)) ?? id;
  const accountId = text(group.account_id) ?? '';
  const items = texts(found.items);
  for (const item of items.length > 0 ? items : ['']) {
    yield {
      source,
      identity: ['scoutsuite', text(group.provider_code) ?? '', accountId, id, withoutIndices(item)],
      equals: 'places',
      title: item === '' ? name : `${name}: ${resourceName(item)}`,
      description: [
        withoutMarkup(text(found.rationale)) ?? name,
        item && `Resource: \`${item}\``,
        accountId && `Account: ${[text(group.provider_name), accountId].filter(Boolean).join(' ')}`,
      ]
        .filter(Boolean)
        .join('\n\n'),
      severity,
      rule: { id, name, tags: [text(found.service) ?? String(path[1]), ...standards(found)] },
      places: [{ path: item || null, start_line: null, end_line: null, commit: null }],
      remediation: withoutMarkup(text(found.remediation)),
      references: texts(found.references),
    };
  }
}

const standards = (found: JsonObject): string[] =>
  objects(found.compliance).map((one) =>
    [one.name, one.version, one.reference].filter((part) => text(part) !== undefined).join(' '),
  );

/** The positions in lists (`cidrs.0`) are not stable; the number after `ports` is. */
const withoutIndices = (item: string): string =>
  item
    .split('.')
    .filter((part, at, parts) => !/^\d{1,4}$/.test(part) || parts[at - 1] === 'ports')
    .join('.');

/** The last part with a name: `s3.buckets.shop.versioning` is `shop.versioning`. */
const resourceName = (item: string): string => item.split('.').slice(-2).join('.');
