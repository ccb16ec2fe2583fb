import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Application } from '../../../tests/harness/application.ts';
import type { ApiResponse } from '../../../tests/harness/exchange.ts';
import { addDataSource, type Finding, readAll } from '../../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../../tests/harness/furnished.ts';
import { createTenant, createTestMember, type Person } from '../../../tests/harness/people.ts';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { beginChange, readChangeClock } from '../../findings/change-clock.ts';
import { newId } from '../../platform/id.ts';
import { formatTime } from '../../platform/times.ts';
import { doNextBatch } from '../bulk/advance-operation.ts';
import { beginUndo, insertOperation, lockOperation } from '../bulk/queries.ts';
import { decisionJobs, decisionTicks } from '../jobs.ts';
import { dyingDatabase, Kills } from './kills.fixture.ts';
import { type Bulk, detectionAt, Model, problems, scopes } from './model.fixture.ts';
import { moveTimes, type Row, readRows } from './rows.fixture.ts';
import { type Action, type Kill, type Step, sequence } from './steps.fixture.ts';

const hourMs = 3_600_000;
/** Batches of a job are this small, so that crashes come between them. */
const batchSize = 2;

type Who = 'owner' | 'requester' | 'former';
type Of<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>;

/** An organization in which a sequence of steps runs, beside the model of it. */
class Sequence {
  readonly #app: Application;
  readonly #kills: Kills;
  readonly #model = new Model();
  /** The ids of the model's decisions and bulk updates. */
  readonly #ids: string[] = [];
  readonly #operations: string[] = [];
  readonly #startMs = Math.floor(Date.now() / 1_000) * 1_000;
  #people!: Record<Who, Person>;
  #dataSourceId = '';
  #kill: Kill | null = null;

  constructor(app: Application, kills: Kills) {
    this.#app = app;
    this.#kills = kills;
  }

  get #orgId(): string {
    return this.#people.owner.orgId;
  }

  async begin(): Promise<void> {
    const { database } = this.#app;
    const owner = await createTenant(database, 'Model');
    const requester = await createTestMember(database, owner.orgId, 'developer');
    const former = await createTestMember(database, owner.orgId, 'admin');
    this.#people = { owner, requester, former };
    await this.#write('DELETE FROM members WHERE org_id = $1 AND user_id = $2', former.userId);
    this.#dataSourceId = await addDataSource(this.#app, owner.token, 'model');
  }

  #write(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    return this.#app.database.single(this.#orgId, { text, values: [this.#orgId, ...values] });
  }

  /** Sends a request, and after a crash once more with the same key. */
  #call(by: Who, method: string, path: string, json?: object): Promise<ApiResponse> {
    const headers: Record<string, string> = method === 'DELETE' ? {} : { 'Idempotency-Key': randomUUID() };
    const send = () => this.#app.call(this.#people[by].token, method, path, { headers, ...(json && { json }) });
    return this.#kills.survive(this.#kill, send);
  }

  /** Returns the time at which the model's clock shows these hours, to the second. */
  #timeAt(hours: number | null): string | null {
    return hours === null ? null : formatTime(new Date(this.#startMs + (hours - this.#model.clock) * hourMs));
  }

  /** Returns the model's time a number of hours from now. */
  #fromNow(hours: number | null): number | null {
    return hours === null ? null : this.#model.clock + hours;
  }

  #rows(): Promise<Map<number, Row>> {
    return readRows(this.#app.database, this.#orgId);
  }

  /** Notes the ids of the decisions that statuses made about single findings. */
  async #nameOwn(): Promise<void> {
    const { decisions } = this.#model;
    if (this.#ids.length === decisions.length) return;
    const rows = await this.#rows();
    for (const { own } of decisions.slice(this.#ids.length)) this.#ids.push(rows.get(own!)!.decision!);
  }

  async perform({ action, kill }: Step): Promise<void> {
    this.#kill = kill;
    await this.#perform(action);
    await this.#nameOwn();
  }

  #perform(action: Action): Promise<void> {
    switch (action.kind) {
      case 'scan':
        return this.#scan(action);
      case 'decide':
      case 'request':
        return this.#decide(action);
      case 'pair':
        return this.#decideTwice(action);
      case 'patch':
        return this.#patch(action);
      case 'bulk':
        return this.#changeMany(action);
      case 'operation':
        return this.#begin(action);
      case 'advance':
        return this.#advance(action.nth);
      case 'undo':
        return this.#undo(action.nth);
      case 'clock':
        return this.#moveClock(action.hours);
      default:
        return this.#ids.length === 0 ? Promise.resolve() : this.#performOn(action.nth % this.#ids.length, action);
    }
  }

  #performOn(id: number, action: Of<'withdraw' | 'approve' | 'reject' | 'follow' | 'die'>): Promise<void> {
    if (action.kind === 'follow') return this.#follow(id);
    if (action.kind === 'die') return this.#die(id);
    return action.kind === 'withdraw' ? this.#withdraw(id) : this.#answer(id, action);
  }

  async #scan({ seen, version }: Of<'scan'>): Promise<void> {
    const { database } = this.#app;
    const detections = seen.map((problem) => detectionAt(problem, version));
    await this.#kills.survive(this.#kill, async () => {
      const startedAt = await database.transaction(this.#orgId, (tx) => readChangeClock(tx, this.#orgId));
      return recordScan(database, this.#orgId, this.#dataSourceId, detections, { source: 'code', startedAt });
    });
    this.#model.scan(new Map(seen.map((problem) => [problem, version])));
  }

  /** Returns the scope as the API takes it; null while its finding is missing. */
  async #scopeOf(scope: number): Promise<object | null> {
    const stated = scopes[scope]!.scope;
    if (!stated.finding) return stated;
    const third = (await this.#rows()).get(2);
    return third ? { finding: [third.id] } : null;
  }

  async #decide({ kind, scope, outcome, until, endsWithVersion, isLate }: Of<'decide' | 'request'>): Promise<void> {
    const isRequest = kind === 'request';
    const stated = await this.#scopeOf(scope);
    if (!stated) return;
    const ends = this.#fromNow(until);
    const conditions = endsWithVersion ? { version_changes: true } : null;
    const json = { outcome, reason: 'x', scope: stated, until: this.#timeAt(ends), ends_when: conditions };
    const made = succeeded(await this.#call(isRequest ? 'requester' : 'owner', 'POST', '/decisions', json));
    this.#ids.push(made.id);
    const status = isRequest ? 'requested' : 'active';
    const id = this.#model.add({ scope, outcome, endsWithVersion, until: ends, status });
    if (isRequest) return;
    this.#model.jobs.add(id);
    if (!isLate) await this.#follow(id);
  }

  /** Makes two decisions at once, whose order is that in which they took effect: their times are the same. */
  async #decideTwice({ scopes: both, outcomes }: Of<'pair'>): Promise<void> {
    const stated = await Promise.all(both.map((scope) => this.#scopeOf(scope)));
    if (stated.includes(null)) return;
    const bodies = both.map((_, at) => ({ outcome: outcomes[at]!, reason: 'x', scope: stated[at]! }));
    this.#kill = null;
    const sent = bodies.map((json) => this.#call('owner', 'POST', '/decisions', json));
    const made = (await Promise.all(sent)).map((response): string => succeeded(response).id);
    await this.#write(
      `UPDATE decisions SET created_at = date_trunc('second', clock_timestamp()) WHERE org_id = $1 AND id = ANY($2::text[])`,
      made,
    );
    const order = await this.#write(
      'SELECT id FROM decisions WHERE org_id = $1 AND id = ANY($2::text[]) ORDER BY made',
      made,
    );
    for (const { id } of order) {
      const at = made.indexOf(String(id));
      this.#ids.push(String(id));
      const decided = { scope: both[at]!, outcome: outcomes[at]!, endsWithVersion: false, until: null };
      this.#model.jobs.add(this.#model.add({ ...decided, status: 'active' }));
    }
    for (const id of [...this.#model.jobs].slice(-2)) await this.#follow(id);
  }

  async #patch({ problem, status, until }: Of<'patch'>): Promise<void> {
    const found = (await this.#rows()).get(problem);
    if (!found) return;
    const ends = status === 'accepted_risk' && until !== undefined ? this.#fromNow(until) : undefined;
    const json = { status, ...(ends !== undefined && { accepted_until: this.#timeAt(ends) }) };
    succeeded(await this.#call('owner', 'PATCH', `/findings/${found.id}`, json));
    this.#model.setStatus(problem, status, ends);
  }

  async #noteChanged(bulk: Bulk, changed: ReturnType<Model['changeMany']>): Promise<void> {
    const rows = await this.#rows();
    bulk.changed.push(...changed.map((one) => ({ ...one, rowVersion: rows.get(one.index)!.rowVersion })));
  }

  async #changeMany({ problems: wanted, status, until }: Of<'bulk'>): Promise<void> {
    const rows = await this.#rows();
    const indexes = wanted.filter((index) => rows.has(index));
    if (indexes.length === 0) return;
    const ends = status === 'accepted_risk' ? this.#fromNow(until) : null;
    const json = {
      ids: indexes.map((index) => rows.get(index)!.id),
      status,
      ...(status === 'accepted_risk' && { accepted_until: this.#timeAt(ends) }),
    };
    const { operation, updated } = succeeded(await this.#call('owner', 'PATCH', '/findings', json));
    const bulk: Bulk = {
      status,
      until: ends,
      cursor: '',
      changed: [],
      state: 'completed',
      completedAt: this.#model.clock,
    };
    const changed = this.#model.changeMany(indexes, bulk);
    assert.equal(updated, changed.length);
    if (!operation) return;
    this.#operations.push(operation.id);
    this.#model.bulks.push(bulk);
    await this.#noteChanged(bulk, changed);
  }

  /** Begins a bulk update of all findings by a job, as one of more than a thousand is. */
  async #begin({ status, until }: Of<'operation'>): Promise<void> {
    const { database } = this.#app;
    const ends = status === 'accepted_risk' ? this.#fromNow(until) : null;
    const change = { status, ...(status === 'accepted_risk' && { accepted_until: this.#timeAt(ends) }) };
    const id = newId('bulk');
    const requestedBy = this.#people.owner.userId;
    await database.transaction(this.#orgId, async (tx) => {
      const { at: asOf } = await beginChange(tx, this.#orgId);
      const filter = { source: ['code'] };
      await insertOperation(tx, this.#orgId, { id, requestedBy, change, filter, asOf, matched: problems.length });
    });
    this.#operations.push(id);
    this.#model.bulks.push({ status, until: ends, cursor: '', changed: [], state: 'running', completedAt: 0 });
  }

  async #batch(id: string): Promise<boolean> {
    const { database } = this.#app;
    const next = () => database.transaction(this.#orgId, (tx) => doNextBatch(tx, this.#orgId, id, batchSize));
    return this.#kills.survive(this.#kill?.commits ? null : this.#kill, next);
  }

  /** Runs the next batch of a bulk update: it changes what nothing has changed since its request. */
  async #advance(nth: number): Promise<void> {
    const { bulks } = this.#model;
    if (bulks.length === 0) return;
    const bulk = bulks[nth % bulks.length]!;
    const operation = this.#operations[nth % bulks.length]!;
    const [{ as_of: asOf } = {}] = await this.#write(
      'SELECT as_of::text FROM bulk_operations WHERE org_id = $1 AND id = $2',
      operation,
    );
    const next = [...(await this.#rows()).values()]
      .filter(({ id, updatedAt }) => id > bulk.cursor && updatedAt <= String(asOf))
      .slice(0, batchSize);
    const more = await this.#batch(operation);
    if (bulk.state !== 'running') return assert.equal(more, false);
    const isLast = next.length < batchSize;
    assert.equal(more, !isLast);
    const changed = this.#model.changeMany(
      next.map(({ index }) => index),
      bulk,
    );
    Object.assign(bulk, { cursor: next.at(-1)?.id ?? bulk.cursor });
    if (isLast) Object.assign(bulk, { state: 'completed', completedAt: this.#model.clock });
    await this.#noteChanged(bulk, changed);
    await this.#nameOwn();
    await this.#tick();
  }

  async #undo(nth: number): Promise<void> {
    const { bulks } = this.#model;
    if (bulks.length === 0) return;
    const bulk = bulks[nth % bulks.length]!;
    const id = this.#operations[nth % bulks.length]!;
    const rows = await this.#rows();
    const mayUndo = this.#model.mayUndo(bulk);
    if (nth % 2 === 0 || !mayUndo) {
      const { status } = await this.#call('owner', 'POST', `/bulk-operations/${id}/undo`);
      assert.equal(status, mayUndo || bulk.state === 'undone' ? 200 : 409);
    } else {
      const { database } = this.#app;
      await database.transaction(this.#orgId, async (tx) => {
        assert.ok((await lockOperation(tx, this.#orgId, id))!.isUndoable);
        await beginUndo(tx, this.#orgId, id, this.#people.owner.userId);
      });
      while (await this.#batch(id));
    }
    if (mayUndo) this.#model.undo(bulk, rows);
    await this.#tick();
  }

  async #follow(id: number): Promise<void> {
    const payload = { org_id: this.#orgId, decision_id: this.#ids[id]!, user_id: this.#people.owner.userId };
    await this.#kills.survive(this.#kill, async () => decisionJobs[0]!.run(payload, this.#app));
    this.#model.follow(id);
  }

  async #die(id: number): Promise<void> {
    const payload = { org_id: this.#orgId, decision_id: this.#ids[id]!, user_id: this.#people.owner.userId };
    const database = dyingDatabase(this.#app.database);
    await assert.rejects(async () => decisionJobs[0]!.run(payload, { database }), /killed/);
    this.#model.jobs.add(id);
  }

  async #withdraw(id: number): Promise<void> {
    const decided = this.#model.decisions[id]!;
    const isRequested = decided.status === 'requested';
    const isLive = isRequested || decided.status === 'active';
    const path = `/decisions/${this.#ids[id]}`;
    // Nobody but the requester withdraws a request.
    if (isRequested) assert.equal((await this.#call('owner', 'DELETE', path)).status, 403);
    const { status } = await this.#call(isRequested ? 'requester' : 'owner', 'DELETE', path);
    // The repetition of a call that had succeeded is refused, since nothing is left to withdraw.
    const isRepeated = this.#kill?.commits && isLive && status === 409;
    if (!isRepeated) assert.equal(status, isLive ? 204 : 409);
    if (isLive) this.#model.end(id, 'withdrawn');
  }

  async #answer(id: number, { kind, by, isLate }: Of<'approve' | 'reject'>): Promise<void> {
    const isRequested = this.#model.decisions[id]!.status === 'requested';
    const { status } = await this.#call(by, 'POST', `/decisions/${this.#ids[id]}/${kind}`, { version: 1 });
    if (by !== 'owner') return assert.equal(status, by === 'requester' ? 403 : 401);
    assert.equal(status, isRequested ? 200 : 409);
    if (!isRequested) return;
    if (kind === 'reject') this.#model.decisions[id]!.status = 'rejected';
    else this.#model.approve(id);
    if (kind === 'approve' && !isLate) await this.#follow(id);
  }

  async #tick(): Promise<void> {
    await this.#kills.survive(this.#kill, async () => decisionTicks[0]!.run(this.#app));
    this.#model.tick();
  }

  async #moveClock(hours: number): Promise<void> {
    await moveTimes(this.#app.database, this.#orgId, hours);
    this.#model.clock += hours;
    await this.#tick();
  }

  async compare(what: string): Promise<void> {
    const actual = [...(await this.#rows()).values()].map(({ index, status, decision }) => [index, status, decision]);
    const expected = [...this.#model.findings].map(([index, { status, decision }]) => [
      ...[index, status, decision === null ? null : this.#ids[decision]!],
    ]);
    assert.deepEqual(actual.sort(), expected.sort(), what);
  }

  /** Runs the jobs that are left, and compares what the API says. */
  async end(): Promise<void> {
    const { jobs, decisions, findings } = this.#model;
    this.#kill = null;
    while (jobs.size > 0) for (const id of jobs) await this.#follow(id);
    await this.compare('after all jobs');
    const { token } = this.#people.owner;
    const listed = await readAll(this.#app, token, '');
    assert.deepEqual(
      new Map(listed.map(({ title, status }: Finding) => [Number(title.slice(-1)), status])),
      new Map([...findings].map(([index, { status }]) => [index, status])),
    );
    const statuses = new Map<string, string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const all = 'status=active,requested,rejected,withdrawn,expired,ended&limit=100';
      const path: string = `/decisions?${all}${cursor && `&next_cursor=${cursor}`}`;
      const page = succeeded(await this.#app.call(token, 'GET', path));
      for (const { id, status } of page.data) statuses.set(id, status);
      cursor = page.next_cursor;
    }
    assert.deepEqual(
      this.#ids.map((id) => statuses.get(id)),
      decisions.map(({ status }) => status),
    );
  }
}

/** Runs random sequences, each in an organization of its own, and compares the findings with the model after each step. */
export async function checkSequences(app: Application, bounds: { numRuns: number; limitMs: number }): Promise<void> {
  const kills = new Kills(app.database);
  const run = async (steps: Step[]) => {
    const running = new Sequence(app, kills);
    await running.begin();
    for (const [at, step] of steps.entries()) {
      await running.perform(step);
      await running.compare(`after step ${at}: ${JSON.stringify(step)}`);
    }
    await running.end();
  };
  await checkProperty(fc.asyncProperty(sequence, run), bounds);
}
