import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OpenedFile } from '@assay/scanner/advisories/opened-file.ts';
import { ecosystems } from '@assay/scanner/advisories/versions/index.ts';
import { makeTemporaryDirectory } from '@assay/scanner/platform/temporary-directory.ts';
import Type, { type Static } from 'typebox';
import { type Context, defineRoute } from '../../context.ts';
import { auditActor, recordAudit } from '../../organization/audit.ts';
import { findFirstOrganization } from '../../organization/queries.ts';
import { ApiError, invalid, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { enumeration, nullable, page, pageParameters, time } from '../../platform/http/schema.ts';
import { autocommit } from '../../platform/postgres/database.ts';
import { formatTimeOrNull } from '../../platform/times.ts';
import { findFeedAges, maxFeedDays } from './feed-ages.ts';
import { type SyncOutcome, syncAdvisories } from './sync.ts';
import { requestSync } from './sync-queries.ts';

const feedNames = ['kev', 'epss', 'advisories'] as const;
type FeedName = (typeof feedNames)[number];

const Feed = Type.Object(
  {
    name: enumeration(feedNames, {
      $id: 'FeedKind',
      description:
        '`kev`: the vulnerabilities that are known to be exploited; `epss`: how likely each is to be; `advisories`: the known vulnerabilities of packages.',
    }),
    status: enumeration(['not_loaded', 'stale', 'loaded'] as const, {
      $id: 'FeedStatus',
      description: `\`not_loaded\`: what depends on it is unknown; \`stale\`: it had no new content for ${maxFeedDays} days.`,
    }),
    loaded_at: nullable(time('When new content was last loaded.')),
    has_source: Type.Boolean({ description: 'Whether the operator has set where it is loaded from each day.' }),
    may_load: Type.Boolean({ description: 'Whether the caller may load it, or upload its file.' }),
  },
  { $id: 'Feed', description: 'Published facts about vulnerabilities, which all organizations share.' },
);
const FeedPage = page(Feed, 'Feed');
const example = {
  name: 'kev',
  status: 'loaded',
  loaded_at: '2026-02-01T02:00:07Z',
  has_source: true,
  may_load: false,
} as const;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const LoadedFeed = Type.Object(
  {
    added: count('The entries that are new.'),
    changed: count('The entries that are different.'),
    removed: count('The entries that are no longer in it.'),
    unchanged: count('The entries that are as before.'),
  },
  { $id: 'LoadedFeed', description: 'The changes that the file made.' },
);

const shared = { tag: 'Data sources', extension: true, permission: 'session' } as const;

/** Returns whether the caller acts as the operator: an owner of the organization that runs the installation. */
const mayLoad = async ({ role, orgId }: Actor, { database }: Context) =>
  role === 'owner' && (await findFirstOrganization(database)) === orgId;

async function requireOperator(actor: Actor, context: Context): Promise<void> {
  if (await mayLoad(actor, context)) return;
  throw new ApiError(
    'forbidden',
    'Only owners of the organization that runs this installation can load feeds. Ask one.',
  );
}

async function listFeeds(actor: Actor, context: Context): Promise<Static<typeof Feed>[]> {
  const may_load = await mayLoad(actor, context);
  const ages = await findFeedAges(autocommit(context.database, null));
  const { feeds } = context.checked;
  return feedNames.map((name) => {
    const age = ages.find(({ feed }) => feed === name);
    return {
      name,
      status: !age ? 'not_loaded' : age.ageSeconds > maxFeedDays * 86_400 ? 'stale' : 'loaded',
      loaded_at: formatTimeOrNull(age?.loadedAt ?? null),
      has_source: (feeds[name] ?? feeds.advisories) !== null,
      may_load,
    };
  });
}

const list = defineRoute({
  ...shared,
  method: 'GET',
  path: '/feeds',
  operationId: 'listFeeds',
  summary: 'List feeds',
  description:
    'Returns the feeds that filters, columns, priorities and the source `dependencies` depend on, and when each was loaded.',
  query: pageParameters,
  responses: { 200: { schema: FeedPage, description: 'The feeds.', example: { data: [example], next_cursor: null } } },
  errors: ['invalid_cursor'],
  handler: async ({ actor, query, context }) => {
    const { limit, next_cursor: cursor } = query;
    const binding = { operation: 'listFeeds', orgId: actor.orgId };
    const after = cursor === undefined ? null : context.cursors.decode(binding, cursor)[0];
    const feeds = await listFeeds(actor, context);
    const rest = feeds.slice(feeds.findIndex(({ name }) => name === after) + 1);
    return pageOf(rest, limit, context.cursors, binding, ({ name }) => [name]);
  },
});

const load = defineRoute({
  ...shared,
  method: 'POST',
  path: '/feeds/load',
  operationId: 'loadFeeds',
  summary: 'Load the feeds',
  description:
    'Makes a worker load all feeds within a minute, from the locations that the operator has set. For owners of the organization that was created first, which runs the installation: all organizations share the feeds.',
  status: 202,
  responses: {
    202: {
      schema: FeedPage,
      description: 'The feeds, as they are before loading.',
      example: { data: [example], next_cursor: null },
    },
  },
  errors: ['forbidden', 'conflict'],
  handler: async ({ actor, context, transaction }) => {
    await requireOperator(actor, context);
    const { advisories, epss, kev } = context.checked.feeds;
    if ((advisories ?? epss ?? kev) === null) {
      throw new ApiError(
        'conflict',
        'No location of a feed is set. Upload a file, or set ASSAY_ADVISORIES, ASSAY_EPSS or ASSAY_KEV.',
      );
    }
    await transaction(async (tx) => {
      await requestSync(tx);
      await recordAudit(tx, actor.orgId, {
        actor: auditActor(actor),
        action: 'feed.requested',
        target: { id: 'feeds' },
      });
    });
    return { data: await listFeeds(actor, context), next_cursor: null };
  },
});

/** The real files have 2 MB, or 200 MB for the largest ecosystem. */
const maxBytes: Record<FeedName, number> = { kev: 64 * 2 ** 20, epss: 64 * 2 ** 20, advisories: 2 ** 30 };

async function save(upload: Readable, file: string, max: number): Promise<number> {
  let bytes = 0;
  await pipeline(
    upload,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > max) throw new ApiError('payload_too_large', `The file is larger than ${max / 2 ** 20} MiB.`);
        yield chunk;
      }
    },
    createWriteStream(file),
  );
  if (bytes === 0) throw invalid('body', 'body', 'must be the file of the feed');
  return bytes;
}

/** Loads a file like the daily job. An uploaded file has no validator, so the next one is always read. */
function loadFile(context: Context, name: FeedName, ecosystem: string, file: string, at: Date) {
  const opened: OpenedFile = { kind: 'file', file, validator: at.toISOString(), close: async () => {} };
  const source = 'upload';
  const open = async () => opened;
  const isArchive = name === 'advisories';
  return syncAdvisories({
    database: context.database,
    feed: isArchive ? { source, listEcosystems: async () => [ecosystem], open } : null,
    exploitation: isArchive ? [] : [{ name, source, required: true, open }],
    signal: AbortSignal.timeout(3_600_000),
    pausesMs: [],
  });
}

function countsOf(outcome: SyncOutcome | null): Static<typeof LoadedFeed> {
  if (!outcome) throw new ApiError('conflict', 'Feeds are being loaded now. Try again when that is done.');
  const [loaded] = [...outcome.exploitation, ...outcome.archives];
  if (!loaded?.counts) throw invalid('body', 'body', `could not be read: ${loaded?.error ?? 'it is empty'}`);
  const { added, changed, removed, unchanged } = loaded.counts;
  return { added, changed, removed, unchanged };
}

const uploadFeed = defineRoute({
  ...shared,
  method: 'POST',
  path: '/feeds/{name}/upload',
  operationId: 'uploadFeed',
  summary: 'Upload the file of a feed',
  description:
    'Replaces a feed by a file, as it is published: `known_exploited_vulnerabilities.json` of CISA (`kev`), `epss_scores-….csv.gz` of FIRST (`epss`), or `all.zip` of an ecosystem in OSV’s export (`advisories`). For owners of the organization that was created first, which runs the installation: all organizations share the feeds. A file that can’t be read changes nothing.',
  params: { name: Type.String({ description: '`kev`, `epss` or `advisories`.' }) },
  query: {
    ecosystem: Type.Optional(
      enumeration(ecosystems, {
        $id: 'Ecosystem',
        description: 'For `advisories`, the ecosystem of the file, as OSV names it.',
      }),
    ),
  },
  rawBody: { description: 'The file.', contentTypes: ['application/octet-stream'] },
  responses: {
    200: {
      schema: LoadedFeed,
      description: 'The changes that the file made.',
      example: { added: 1487, changed: 0, removed: 0, unchanged: 0 },
    },
  },
  errors: ['forbidden', 'not_found', 'conflict', 'payload_too_large'],
  handler: async ({ actor, params, query, upload, context, transaction }) => {
    const name = feedNames.find((known) => known === params.name);
    if (!name) throw notFound('Feed');
    await requireOperator(actor, context);
    const { ecosystem = '' } = query;
    if (name === 'advisories' && ecosystem === '') throw invalid('query', 'ecosystem', 'is required for advisories');
    if (name !== 'advisories' && ecosystem !== '') throw invalid('query', 'ecosystem', 'is only for advisories');
    const directory = await makeTemporaryDirectory();
    try {
      const file = join(directory.path, 'feed');
      const bytes = await save(upload, file, maxBytes[name]);
      // Recorded first, so that nothing is loaded without an entry in the audit log.
      await transaction((tx) =>
        recordAudit(tx, actor.orgId, {
          actor: auditActor(actor),
          action: 'feed.uploaded',
          target: { id: name, name: ecosystem || null },
          details: { bytes },
        }),
      );
      return countsOf(await loadFile(context, name, ecosystem, file, new Date()));
    } finally {
      await directory.remove();
    }
  },
});

export const feedRoutes = [list, load, uploadFeed];
