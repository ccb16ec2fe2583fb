import pg from 'pg';
import type { Client } from './client.ts';
import type { Layout } from './layout.ts';

/** Compares the data of the installation with the changes that it acknowledged. Returns a sentence for each fault. */
export async function findFaults(client: Client, layout: Pick<Layout, 'adminUrl'>): Promise<string[]> {
  const checks = [checkScans, checkReports, checkFindings, checkDecisions, checkComments, checkFigures, checkJobs];
  const faults: string[] = [];
  for (const check of checks) {
    try {
      faults.push(...(await check(client, layout)));
    } catch (error) {
      faults.push(`${check.name} could not be done: ${(error as Error).message}`);
    }
  }
  return faults;
}

const some = (items: string[]) => `${items.slice(0, 3).join(', ')}${items.length > 3 ? ', …' : ''}`;

async function checkScans(client: Client): Promise<string[]> {
  const scans = new Map((await client.list('/scans')).map((scan) => [scan.id, scan]));
  const faults = [...client.journal.scans].flatMap((id) => {
    const scan = scans.get(id);
    if (!scan) return [`lost: the scan ${id} was acknowledged and is not there`];
    if (scan.status === 'completed') return [];
    const reasons = scan.errors.map((error: { message: string }) => error.message).join(' ');
    const kind = scan.completed_at === null ? 'stuck' : 'failed';
    return [`${kind}: the ${scan.trigger === 'import' ? 'import' : 'scan'} ${id} is ${scan.status} ${reasons}`];
  });
  const others = [...scans.values()].filter(
    ({ id, status }) => !client.journal.scans.has(id) && status !== 'completed',
  );
  return [...faults, ...others.map(({ id, status }) => `${status}: the scan ${id}, whose response never arrived`)];
}

async function checkReports(client: Client): Promise<string[]> {
  const faults: string[] = [];
  for (const id of client.journal.reports) {
    const { status, body } = await client.insist('GET', `/reports/${id}`, {}, [404]);
    if (status === 404) faults.push(`lost: the report ${id}`);
    else if (body.status !== 'ready') faults.push(`${body.status}: the report ${id} ${body.error ?? ''}`);
    else {
      const { text } = await client.insist('GET', `/reports/${id}/export?format=json`);
      const exported = JSON.parse(text).findings.length;
      if (exported !== body.summary.total)
        faults.push(`lost: the report ${id} of ${body.summary.total} has ${exported}`);
    }
  }
  return faults;
}

type Row = { id: string; status: string; location: { path: string } };
const isClosed = ({ status }: Row) => status === 'resolved';

async function checkFindings(client: Client): Promise<string[]> {
  const faults: string[] = [];
  for (const [dataSourceId, { open, closed }] of client.journal.expected) {
    const rows: Row[] = await client.list(`/findings?data_source=${dataSourceId}`);
    const paths = rows.map((row) => row.location.path);
    const present = new Set(paths);
    const place = (await client.ask('GET', `/data-sources/${dataSourceId}`)).name;
    const report = (what: string, wrong: string[]) => {
      if (wrong.length > 0) faults.push(`${what} in ${place}: ${wrong.length} findings (${some(wrong)})`);
    };
    report(
      'lost',
      [...open].filter((path) => !present.has(path)),
    );
    report(
      'doubled',
      paths.filter((path, index) => paths.indexOf(path) !== index),
    );
    const wronglyClosed = rows.filter((row) => isClosed(row) && open.has(row.location.path)).map(({ id }) => id);
    report('closed that should be open', wronglyClosed);
    if (wronglyClosed[0]) faults.push(...(await describeClosing(client, dataSourceId, wronglyClosed[0])));
    report(
      'open that should be closed',
      rows.filter((row) => !isClosed(row) && closed.has(row.location.path)).map(({ id }) => id),
    );
  }
  return faults;
}

/** Returns the known facts about a finding that was closed: its history, and the last scans of its data source. */
async function describeClosing(client: Client, dataSourceId: string, id: string): Promise<string[]> {
  const history = await client.list(`/findings/${id}/history`);
  const scans = (await client.ask('GET', `/scans?data_source=${dataSourceId}&limit=8`)).data;
  return [
    ...history.slice(-4).map((entry) => `  its history: ${JSON.stringify(entry)}`),
    ...scans.map(
      (scan: Record<string, unknown>) =>
        `  a scan there: ${['id', 'status', 'created_at', 'started_at', 'completed_at', 'findings'].map((name) => JSON.stringify(scan[name])).join(' ')} ${client.journal.scans.has(String(scan.id)) ? '' : 'whose response never arrived'}`,
    ),
  ];
}

type Change = { changes: Array<{ field: string; to: unknown }> };

async function checkDecisions(client: Client): Promise<string[]> {
  const faults: string[] = [];
  for (const [id, { status, tag }] of client.journal.decisions) {
    const finding = await client.ask('GET', `/findings/${id}`);
    if (finding.status !== status || finding.tags[0] !== tag)
      faults.push(`lost: ${id} was set to ${status} and ${tag}, and is ${finding.status} and ${finding.tags}`);
    const history: Change[] = await client.list(`/findings/${id}/history`);
    const given = history.flatMap(({ changes }) =>
      changes.filter(({ field }) => field === 'tags').flatMap(({ to }) => to),
    );
    const known = client.journal.tags.get(id)!;
    const lost = known.filter((one) => !given.includes(one));
    if (lost.length > 0) faults.push(`lost: the history of ${id} lacks ${some(lost)}`);
    if (new Set(given).size !== given.length) faults.push(`doubled: the history of ${id} has a change twice`);
  }
  return faults;
}

async function checkComments(client: Client): Promise<string[]> {
  const faults: string[] = [];
  for (const [id, expected] of client.journal.comments) {
    const texts: string[] = (await client.list(`/findings/${id}/comment`)).map(({ comment }) => comment);
    const lost = [...expected].filter((text) => !texts.includes(text));
    if (lost.length > 0) faults.push(`lost: ${lost.length} comments on ${id} (${some(lost)})`);
    if (new Set(texts).size !== texts.length) faults.push(`doubled: comments on ${id}`);
    const { comment_count: count } = await client.ask('GET', `/findings/${id}`);
    if (count !== texts.length) faults.push(`wrong: ${id} counts ${count} comments and has ${texts.length}`);
  }
  return faults;
}

/** Checks that the stored figures agree with the findings. */
async function checkFigures(client: Client): Promise<string[]> {
  const faults: string[] = [];
  const summary = await client.ask('GET', '/findings/summary');
  for (const status of Object.keys(summary.by_status)) {
    const counted = (await client.list(`/findings?status=${status}`)).length;
    if (counted !== summary.by_status[status])
      faults.push(
        `wrong: the summary has ${summary.by_status[status]} findings that are ${status}, and there are ${counted}`,
      );
  }
  return faults;
}

/** Checks that the queue contains no postponed job and no job that no worker would run. */
async function checkJobs(_client: Client, layout: Pick<Layout, 'adminUrl'>): Promise<string[]> {
  const database = new pg.Client({ connectionString: await layout.adminUrl() });
  await database.connect();
  try {
    const { rows } = await database.query<{ job: string; attempts: number; error: string | null }>(
      `SELECT task_identifier AS job, attempts, last_error AS error FROM graphile_worker.jobs`,
    );
    return rows.map(
      ({ job, attempts, error }) => `stuck: a job ${job} after ${attempts} attempts: ${error?.split('\n')[0]}`,
    );
  } finally {
    await database.end();
  }
}

/** Waits until all work has ended. */
export async function isSettled(client: Client): Promise<boolean> {
  const scans = await client.ask('GET', '/scans?status=queued,running&limit=1');
  if (scans.data.length > 0) return false;
  for (const id of client.journal.reports) {
    if ((await client.ask('GET', `/reports/${id}`)).status === 'pending') return false;
  }
  return true;
}
