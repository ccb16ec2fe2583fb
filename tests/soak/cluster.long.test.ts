import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../harness/installation.ts';
import { findFaults, isSettled } from './checks.ts';
import { Client } from './client.ts';
import { type Cluster, type Part, startCluster } from './cluster.ts';
import { Journal } from './journal.ts';
import { Random } from './layout.ts';
import { type Actor, addUpload, comments, ended, reports, rollingImports, runActor, sendFile, triage } from './load.ts';
import { sarif, windowOf } from './results.ts';

const random = new Random(5);
const unavailable = 'responses 503';
/** The pauses of each client leave processor time for the nodes, which restart repeatedly. */
const pauseMs = 200;
const pauses = { min: pauseMs, max: 2 * pauseMs };

/** Returns a client with its own token, so that reads of another token don't matter to it. */
const clientOf = async (cluster: Cluster, journal: Journal): Promise<Client> =>
  new Client({ ...cluster, token: await cluster.newToken() }, journal);

/**
 * Changes a finding on each node in turn, and reads it in the list of every node. Counts the rounds that all nodes
 * served.
 */
class Owner {
  readonly #clients: Client[];
  readonly #list: string;
  readonly #id: string;
  rounds = 0;

  constructor(clients: Client[], { list, id }: { list: string; id: string }) {
    this.#clients = clients;
    this.#list = list;
    this.#id = id;
  }

  act: Actor = async (_client, dice) => {
    for (let n = 0; !this.#clients[0]!.isOver; n++) {
      const tag = `own-${n}`;
      const writer = dice.pick(this.#clients);
      const written = await writer.send('PATCH', `/findings/${this.#id}`, { json: { tags: [tag] } });
      // Without a response, it is unknown whether the change was written.
      if (written?.status === 200) await this.#readAll(tag);
      await delay(pauseMs);
    }
  };

  async #readAll(tag: string): Promise<void> {
    let served = 0;
    for (const reader of this.#clients) {
      const page = await reader.send('GET', this.#list);
      if (page?.status !== 200) continue;
      served += 1;
      const { tags } = page.body.data.find(({ id }: { id: string }) => id === this.#id);
      if (tags[0] !== tag) reader.journal.problem(`A token wrote ${tag} and then read ${tags}.`);
    }
    if (served === this.#clients.length) this.rounds += 1;
  }
}

/** Follows the changes like a SIEM, on all nodes in turn. */
class Follower {
  readonly #client: Client;
  #since = '';
  /** The time of the last change that it saw of each finding. */
  readonly seen = new Map<string, string>();

  constructor(client: Client) {
    this.#client = client;
  }

  async follow(): Promise<void> {
    for (const { id, updated_at: at } of await this.#client.list(`/findings?sort=updated_at${this.#since}`)) {
      const before = this.seen.get(id) ?? '';
      if (at < before) this.#client.journal.problem(`The follower saw ${id} go back from ${before} to ${at}.`);
      this.seen.set(id, at);
      this.#since = `&updated_from=${at}`;
    }
  }

  act: Actor = async (client) => {
    while (!client.isOver) {
      await this.follow();
      await delay(2 * pauseMs);
    }
  };
}

async function readsFromReplica(cluster: Cluster): Promise<number> {
  const texts = await Promise.all(cluster.origins().map(async (origin) => (await fetch(`${origin}/metrics`)).text()));
  const counts = texts.flatMap((text) => [
    ...text.matchAll(/^assay_replicable_reads_total\{server="([^"]+)"\} (\d+)/gm),
  ]);
  return counts.reduce((sum, [, server, count]) => sum + (server === 'primary' ? 0 : Number(count)), 0);
}

/**
 * Kills a part, starts it again, and waits until all nodes serve. Without a part that every request needs, clients
 * must be refused meanwhile; without any other part they must be served.
 */
async function killAndStart(part: Part, journal: Journal, owner: Owner): Promise<void> {
  const count = (what: string) => journal.counts[what] ?? 0;
  const before = { refused: count(unavailable), served: count('successful requests') };
  await part.kill();
  await eventually(async () =>
    part.isNeeded ? count(unavailable) > before.refused + 3 : count('successful requests') > before.served + 15,
  );
  await part.start();
  const { rounds } = owner;
  await eventually(async () => owner.rounds > rounds + 1);
}

test('three APIs and two workers with a replica, PgBouncer and Redis lose nothing while each is killed in turn', {
  timeout: 600_000,
}, async (context) => {
  const cluster = await startCluster();
  context.after(() => cluster.remove());
  const journal = new Journal();
  // Each API that receives files starts a separate process for them: one is enough.
  const onFirst = { ...cluster, origins: () => cluster.origins().slice(0, 1) };
  const importer = await clientOf(onFirst, journal);
  const [analyst, commenter, reporter] = [
    await clientOf(cluster, journal),
    await clientOf(cluster, journal),
    await clientOf(cluster, journal),
  ];
  const kept = await addUpload(importer, 'kept');
  await ended(importer, await sendFile(importer, kept, sarif('Kept', windowOf(0, 11, 11)), true));
  const list = `/findings?data_source=${kept}`;
  const [own, ...ids] = (await importer.list(list)).map(({ id }) => id);
  const reader = await clientOf(cluster, journal);
  const follower = new Follower(reader);
  const token = await cluster.newToken();
  const pinned = cluster.origins().map((origin) => new Client({ ...cluster, token, origins: () => [origin] }, journal));
  const owner = new Owner(pinned, { list, id: own });
  const all = [importer, analyst, commenter, reporter, ...pinned, reader];
  const load = [
    runActor(rollingImports(await addUpload(importer, 'rolling'), { window: 300, pauseMs: 500 }), importer, random),
    runActor(triage(ids, 'ada', pauses), analyst, random),
    runActor(comments(ids, 'ada', pauses), commenter, random),
    runActor(reports({ formats: ['json'], pauseMs: { min: 15_000, max: 20_000 } }), reporter, random),
    runActor(owner.act, pinned[0]!, random),
    runActor(follower.act, reader, random),
  ];
  for (const part of cluster.parts) {
    await killAndStart(part, journal, owner).catch((error: unknown) =>
      assert.fail(`${part.name} was killed: ${error}\n${JSON.stringify([...journal.problems])}\n${cluster.output()}`),
    );
  }
  for (const client of all) client.isOver = true;
  await Promise.all(load);
  await eventually(() => isSettled(analyst));
  const faults = [...(await findFaults(analyst, cluster)), ...journal.problems.keys()];
  assert.deepEqual(faults, [], cluster.output());
  // A change may still be on its way, but a skipped one would never arrive.
  await eventually(async () => {
    await follower.follow();
    const findings = (await analyst.list('/findings')) as { id: string; updated_at: string }[];
    const missed = findings.filter(({ id, updated_at }) => follower.seen.get(id) !== updated_at);
    assert.ok(findings.length > 300 && missed.length === 0, `The follower missed ${missed.length} changes.`);
    return true;
  });
  await eventually(async () => {
    await follower.follow();
    return (await readsFromReplica(cluster)) > 0;
  });
});
