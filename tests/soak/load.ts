import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Client, Over } from './client.ts';
import { type Layout, Random } from './layout.ts';
import { createRepository, pathOf, sarif, windowOf } from './results.ts';
import { compareWithSql } from './shadow.ts';

/** Works until the client says that the soak is over. */
export type Actor = (client: Client, random: Random) => Promise<void>;

const universe = 3_000;
const rollingWindow = 1_000;
const triagedFindings = 40;

export async function addUpload(client: Client, name: string): Promise<string> {
  return (await client.ask('POST', '/data-sources', { kind: 'upload', name })).id;
}

/** Sends a result file until it is accepted; one without a response may have been accepted, too. */
export async function sendFile(
  client: Client,
  dataSourceId: string,
  file: string,
  closeMissing: boolean,
): Promise<string> {
  const path = `/data-sources/${dataSourceId}/imports${closeMissing ? '?close_missing=true' : ''}`;
  const { status, body, text } = await client.insist('POST', path, {
    raw: file,
    headers: { 'content-type': 'application/json' },
  });
  if (status !== 202) throw new Error(`An import was refused: ${status} ${text}`);
  client.journal.scans.add(body.id);
  client.journal.count('imports');
  return body.id;
}

export async function ended(client: Client, scanId: string): Promise<void> {
  while ((await client.ask('GET', `/scans/${scanId}`)).completed_at === null) {
    if (client.isGivenUp) throw new Over('A scan did not end.');
    await delay(200);
  }
}

/** Imports one file after another, each of which closes the findings that it does not contain. */
export const rollingImports =
  (dataSourceId: string, { window = rollingWindow, pauseMs = 0 } = {}): Actor =>
  async (client, random) => {
    const everSent = new Set<string>();
    for (let start = 0; !client.isOver; start += random.between(20, 200)) {
      const numbers = windowOf(start, window, universe);
      for (const number of numbers) everSent.add(pathOf(number));
      await ended(client, await sendFile(client, dataSourceId, sarif('Rolling', numbers), true));
      const open = new Set(numbers.map(pathOf));
      client.journal.expected.set(dataSourceId, {
        open,
        closed: new Set([...everSent].filter((path) => !open.has(path))),
      });
      await delay(pauseMs);
    }
  };

/** Imports files without waiting for earlier ones. They close nothing. */
const growingImports =
  (dataSourceId: string): Actor =>
  async (client, random) => {
    const open = new Set<string>();
    client.journal.expected.set(dataSourceId, { open, closed: new Set() });
    while (!client.isOver) {
      const numbers = windowOf(random.between(0, universe), random.between(1, 400), universe);
      await sendFile(client, dataSourceId, sarif('Growing', numbers), false);
      for (const number of numbers) open.add(pathOf(number));
      await delay(random.between(100, 1_500));
    }
  };

const decisions = ['triaged', 'in_progress', 'false_positive', 'new'] as const;

/** Makes decisions on findings while imports see the same findings again. */
export const triage =
  (ids: string[], name: string, pauseMs = { min: 10, max: 200 }): Actor =>
  async (client, random) => {
    for (let n = 0; !client.isOver; n++) {
      const id = random.pick(ids);
      const [status, tag] = [random.pick(decisions), `${name}-${n}`];
      await client.ask('PATCH', `/findings/${id}`, { status, tags: [tag] });
      client.journal.addDecision(id, status, tag);
      client.journal.count('decisions');
      await delay(random.between(pauseMs.min, pauseMs.max));
    }
  };

export const comments =
  (ids: string[], name: string, pauseMs = { min: 10, max: 100 }): Actor =>
  async (client, random) => {
    for (let n = 0; !client.isOver; n++) {
      const id = random.pick(ids);
      const comment = `comment ${n} of ${name}`;
      await client.ask('POST', `/findings/${id}/comment`, { comment });
      client.journal.addComment(id, comment);
      client.journal.count('comments');
      await delay(random.between(pauseMs.min, pauseMs.max));
    }
  };

const scans =
  (dataSourceId: string): Actor =>
  async (client, random) => {
    while (!client.isOver) {
      const { id } = await client.ask('POST', `/detection-sources/secrets/scan?data_source=${dataSourceId}`);
      client.journal.scans.add(id);
      client.journal.count('scans');
      await ended(client, id);
      await delay(random.between(100, 2_000));
    }
  };

type ReportLoad = { formats: readonly string[]; pauseMs: { min: number; max: number } };

/** Requests reports and exports. */
export const reports =
  ({ formats, pauseMs }: ReportLoad): Actor =>
  async (client, random) => {
    for (let n = 0; !client.isOver; n++) {
      const { id } = await client.ask('POST', '/reports', { title: `Report ${n}`, filters: { severity: ['high'] } });
      client.journal.reports.add(id);
      client.journal.count('reports');
      for (;;) {
        const { status } = await client.ask('GET', `/reports/${id}`);
        if (status !== 'pending') break;
        if (client.isGivenUp) throw new Over('A report did not become ready.');
        await delay(200);
      }
      await client.insist('GET', `/reports/${id}/export?format=${random.pick(formats)}`);
      client.journal.count('exports');
      await delay(random.between(pauseMs.min, pauseMs.max));
    }
  };

const lists: Actor = async (client, random) => {
  while (!client.isOver) {
    const filter = random.pick(['status=new', 'severity=high,medium', 'sort=-severity', 'sort=updated_at', 'q=result']);
    await client.send('GET', `/findings?limit=${random.between(1, 200)}&${filter}`);
    await client.send(
      'GET',
      random.pick(['/findings/summary', '/scans', '/reports', '/data-sources', '/detection-sources']),
    );
    await delay(random.between(10, 200));
  }
};

/** Fills the installation and returns the load as promises that end after `client.isOver`. */
export async function startLoad(client: Client, layout: Layout, random: Random): Promise<Promise<void>[]> {
  const { journal } = client;
  const repository = join(layout.repositories, 'code');
  const secretPaths = createRepository(repository, 150);
  const config = { url: pathToFileURL(repository).href };
  const code = (await client.ask('POST', '/data-sources', { kind: 'git_repository', config })).id;
  journal.expected.set(code, { open: new Set(secretPaths), closed: new Set() });
  const kept = await addUpload(client, 'kept');
  const keptFile = sarif('Kept', windowOf(0, triagedFindings, universe));
  await ended(client, await sendFile(client, kept, keptFile, true));
  const ids = (await client.list(`/findings?data_source=${kept}`)).map((finding) => finding.id);
  const half = ids.length / 2;
  const seeAgain: Actor = async (again, dice) => {
    while (!again.isOver) {
      await sendFile(again, kept, keptFile, true);
      await delay(dice.between(1_000, 4_000));
    }
  };
  const actors: Actor[] = [
    rollingImports(await addUpload(client, 'rolling')),
    growingImports(await addUpload(client, 'growing')),
    seeAgain,
    triage(ids.slice(0, half), 'ada'),
    triage(ids.slice(half), 'grace'),
    comments(ids, 'ada'),
    comments(ids, 'grace'),
    scans(code),
    // Streamed formats, and one that a child process renders.
    reports({ formats: ['csv', 'pdf', 'json'], pauseMs: { min: 500, max: 3_000 } }),
    lists,
    lists,
    compareWithSql(layout),
  ];
  return actors.map((actor) => runActor(actor, client, random));
}

/** Runs an actor to its end; an error that stops it is a problem. */
export const runActor = (actor: Actor, client: Client, random: Random): Promise<void> =>
  actor(client, new Random(random.between(0, 2 ** 31))).catch((error) => {
    client.journal.problem(error instanceof Over ? error.message : `The load broke off: ${(error as Error).stack}`);
  });
