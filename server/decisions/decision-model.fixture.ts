import assert from 'node:assert/strict';
import type { Detection } from '@assay/scanner/contract/detection.ts';
import fc from 'fast-check';
import type { Application } from '../../tests/harness/application.ts';
import { addDataSource, type Finding, readAll } from '../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../tests/harness/furnished.ts';
import { createTenant, createTestMember } from '../../tests/harness/people.ts';
import { checkProperty } from '../../tests/harness/properties.ts';
import { detectionOf } from '../findings/findings.fixture.ts';
import { decisionJobs, decisionTicks } from './jobs.ts';

const cve = 'CVE-2099-0001';
/** The problems that scans see, each in one or several scopes. */
const problems = [
  { rule: 'r0', path: 'src/a.py', hasCve: false, inPackage: false },
  { rule: 'r0', path: 'docs/examples/b.py', hasCve: false, inPackage: false },
  { rule: 'r0', path: 'docs/examples/c.py', hasCve: true, inPackage: false },
  { rule: 'r1', path: 'package-lock.json', hasCve: true, inPackage: true },
];
const versions = ['1.0.0', '1.9.0', '2.0.0'];

function detectionAt(problem: number, version: string): Detection {
  const { rule, path, hasCve, inPackage } = problems[problem]!;
  const base = detectionOf(`p${problem}`);
  const found = { ecosystem: 'npm', name: 'left-pad', version, fixed_version: null, purl: null };
  return detectionOf(`p${problem}`, {
    rule: { id: rule, name: rule, url: null },
    title: `Problem ${problem}`,
    identifiers: hasCve ? [cve] : [],
    location: { ...base.location, path, package: inPackage ? found : null },
    places: [{ ...base.places[0]!, path, ...(inPackage && { version }) }],
  });
}

type State = {
  status: string;
  decision: number | null;
  /** The decisions up to this one apply no longer: a person took it out of them. */
  left: number;
  acceptedAgain: boolean;
  seenLast: boolean;
  version: string;
};
type Problem = { index: number; version: string };

/** Scopes, widest first: `looksAt` selects the findings that its job reads, `contains` those in the scope. */
const byRule = ({ index }: Problem) => problems[index]!.rule === 'r0';
const inLeftPad = ({ index }: Problem) => problems[index]!.inPackage;
const byCve = ({ index }: Problem) => problems[index]!.hasCve;
const isThird = ({ index }: Problem) => index === 2;
const scopes = [
  { scope: { rule: ['r0'] }, narrowness: 1, looksAt: byRule, contains: byRule },
  { scope: { identifier: [cve] }, narrowness: 1, looksAt: byCve, contains: byCve },
  { scope: { package: ['pkg:npm/left-pad'] }, narrowness: 2, looksAt: inLeftPad, contains: inLeftPad },
  {
    ...{ scope: { package: ['pkg:npm/left-pad'], versions: 'vers:npm/<2.0.0' }, narrowness: 3, looksAt: inLeftPad },
    contains: (problem: Problem) => inLeftPad(problem) && problem.version !== '2.0.0',
  },
  {
    ...{ scope: { rule: ['r0'], path: ['**/examples/**'] }, narrowness: 4, looksAt: byRule },
    contains: (problem: Problem) => byRule(problem) && problem.index !== 0,
  },
  { scope: { finding: ['third'] }, narrowness: 5, looksAt: isThird, contains: isThird },
];

type Decided = {
  scope: number;
  outcome: string;
  endsWithVersion: boolean;
  status: string;
  /** Its place in the order in which decisions took effect. */
  made: number;
  own?: number;
};
const isOpen = (status: string) => ['new', 'triaged', 'in_progress'].includes(status);

/** The rules of docs/deciding.md, implemented without a database. */
class Model {
  readonly findings = new Map<number, State>();
  readonly decisions: Decided[] = [];
  #made = 0;
  /** Decisions whose job has not run yet. */
  readonly jobs = new Set<number>();

  /** Adds a decision, or a request, and returns its index. */
  add(decision: Omit<Decided, 'made'>): number {
    this.#made += 1;
    return this.decisions.push({ ...decision, made: this.#made }) - 1;
  }

  approve(id: number): void {
    this.#made += 1;
    Object.assign(this.decisions[id]!, { status: 'active', made: this.#made });
    this.jobs.add(id);
  }

  listMatching(index: number): number[] {
    const { version, left } = this.findings.get(index)!;
    const { decisions } = this;
    const holds = ({ scope, status, own, made }: Decided) =>
      status === 'active' &&
      (own === undefined ? made > left && scopes[scope]!.contains({ index, version }) : own === index);
    const narrowness = (id: number) => scopes[decisions[id]!.scope]!.narrowness;
    const ids = decisions.flatMap((decision, id) => (holds(decision) ? [id] : []));
    return ids.sort((a, b) => narrowness(b) - narrowness(a) || decisions[b]!.made - decisions[a]!.made);
  }

  decideAgain(indexes: number[], newVersions = new Set<number>()): void {
    const ended = new Set<number>();
    for (const index of indexes) {
      const { status, decision } = this.findings.get(index)!;
      if (!newVersions.has(index) || status === 'resolved' || (decision === null && !isOpen(status))) continue;
      const met = this.listMatching(index).filter((id) => this.decisions[id]!.endsWithVersion);
      for (const id of met) {
        this.decisions[id]!.status = 'ended';
        this.jobs.add(id);
        ended.add(id);
      }
    }
    for (const index of indexes) this.decide(index);
    for (const id of ended) this.release(id);
  }

  decide(index: number): void {
    const finding = this.findings.get(index)!;
    const [first] = this.listMatching(index);
    const isHeld = finding.decision !== null;
    if (first === undefined) {
      if (!isHeld) return;
      if (finding.status !== 'resolved') finding.status = 'new';
      Object.assign(finding, { decision: null, acceptedAgain: false });
      return;
    }
    const { outcome } = this.decisions[first]!;
    if (isHeld ? finding.status === 'resolved' : !isOpen(finding.status)) return;
    if (outcome === 'triaged' && finding.status === 'in_progress') return;
    if (finding.decision !== first || finding.status !== outcome) finding.acceptedAgain = false;
    Object.assign(finding, { status: outcome, decision: first });
  }

  scan(seen: Map<number, string>): void {
    const written: number[] = [];
    const newVersions = new Set<number>();
    for (const [index, version] of [...seen].sort(([a], [b]) => a - b)) {
      const known = this.findings.get(index);
      const fresh = { status: 'new', decision: null, left: -1, acceptedAgain: false, seenLast: true, version };
      if (!known) this.findings.set(index, fresh);
      else {
        const isChanged = problems[index]!.inPackage && known.version !== version;
        if (known.seenLast && !isChanged && known.status !== 'resolved') continue;
        if (isChanged) newVersions.add(index);
        if (known.status === 'resolved') known.status = known.acceptedAgain ? 'accepted_risk' : 'new';
        Object.assign(known, { acceptedAgain: false, seenLast: true, version });
      }
      written.push(index);
    }
    this.decideAgain(written, newVersions);
    for (const [index, finding] of this.findings) {
      if (seen.has(index)) continue;
      finding.seenLast = false;
      if (!isOpen(finding.status) && finding.status !== 'accepted_risk') continue;
      Object.assign(finding, { acceptedAgain: finding.status === 'accepted_risk', status: 'resolved' });
    }
  }

  /** Returns whether the status made a decision about the finding. */
  setStatus(index: number, status: string): boolean {
    const finding = this.findings.get(index)!;
    if (finding.status === status) return false;
    const isDecision = status === 'false_positive' || status === 'accepted_risk';
    if (isDecision || finding.decision !== null)
      for (const decided of this.decisions)
        if (decided.own === index && decided.status === 'active') decided.status = 'withdrawn';
    if (isDecision) {
      const scope = scopes.findIndex(({ scope }) => scope.finding);
      finding.decision = this.add({ scope, outcome: status, endsWithVersion: false, status: 'active', own: index });
    } else if (finding.decision !== null) {
      const scoped = this.decisions.filter(({ own, status }) => own === undefined && status === 'active');
      Object.assign(finding, { left: Math.max(-1, ...scoped.map(({ made }) => made)), decision: null });
    }
    Object.assign(finding, { status, acceptedAgain: false });
    return isDecision;
  }

  end(id: number, status: string): void {
    this.decisions[id]!.status = status;
    this.release(id);
  }

  release(id: number): void {
    this.decideAgain([...this.findings].flatMap(([index, { decision }]) => (decision === id ? [index] : [])));
  }

  follow(id: number): void {
    this.jobs.delete(id);
    const { status, scope, own } = this.decisions[id]!;
    if (status !== 'active') {
      this.release(id);
      return;
    }
    const looksAt = own === undefined ? scopes[scope]!.looksAt : ({ index }: { index: number }) => index === own;
    const indexes = [...this.findings].flatMap(([index, { version }]) => (looksAt({ index, version }) ? [index] : []));
    this.decideAgain(indexes);
  }
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('scan' as const),
    seen: fc.uniqueArray(fc.nat(problems.length - 1), { maxLength: problems.length }),
    version: fc.constantFrom(...versions),
  }),
  fc.record({
    // `request` is by a person who may not decide.
    kind: fc.constantFrom('decide' as const, 'request' as const),
    scope: fc.nat(scopes.length - 1),
    outcome: fc.constantFrom('false_positive', 'accepted_risk', 'triaged'),
    endsWithVersion: fc.boolean(),
    // A worker that died leaves its job to a later one.
    isLate: fc.constantFrom(false, false, true),
  }),
  fc.record({
    kind: fc.constant('patch' as const),
    problem: fc.nat(problems.length - 1),
    status: fc.constantFrom('new', 'new', 'in_progress', 'resolved', 'false_positive', 'accepted_risk'),
  }),
  fc.record({ kind: fc.constantFrom('withdraw' as const, 'expire' as const), nth: fc.nat(20) }),
  fc.record({
    kind: fc.constantFrom('approve' as const, 'approve' as const, 'reject' as const),
    nth: fc.nat(20),
    by: fc.constantFrom('owner' as const, 'owner' as const, 'requester' as const, 'former' as const),
    isLate: fc.boolean(),
  }),
  // The job of a decision, possibly a repeat: it died before it recorded its completion.
  fc.record({ kind: fc.constant('follow' as const), nth: fc.nat(20) }),
  // Its worker is killed before the transaction commits.
  fc.record({ kind: fc.constant('die' as const), nth: fc.nat(20) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function run(app: Application, steps: Step[]): Promise<void> {
  const { database } = app;
  const { orgId, userId, token } = await createTenant(database, 'Model');
  const requester = await createTestMember(database, orgId, 'developer');
  const former = await createTestMember(database, orgId, 'admin');
  const removal = 'DELETE FROM members WHERE org_id = $1 AND user_id = $2';
  await database.single(orgId, { text: removal, values: [orgId, former.userId] });
  const tokens = { owner: token, requester: requester.token, former: former.token };
  const dataSourceId = await addDataSource(app, token, 'model');
  const model = new Model();
  const ids: string[] = [];
  const read = async () =>
    new Map((await readAll(app, token, '')).map((finding: Finding) => [Number(finding.title.slice(-1)), finding]));
  const follow = async (id: number) => {
    await decisionJobs[0]!.run({ org_id: orgId, decision_id: ids[id]!, user_id: userId }, { database });
    model.follow(id);
  };
  const die = async (id: number) => {
    const transaction: typeof database.transaction = (org, work) =>
      database.transaction(org, async (tx) => {
        await work(tx);
        throw new Error('killed');
      });
    const dying = Object.assign(Object.create(database), { transaction });
    const job = decisionJobs[0]!.run({ org_id: orgId, decision_id: ids[id]!, user_id: userId }, { database: dying });
    await assert.rejects(async () => job, /killed/);
    model.jobs.add(id);
  };
  const perform = async (given: Step) => {
    if (given.kind === 'scan') {
      const { seen, version } = given;
      const detections = seen.map((problem) => detectionAt(problem, version));
      // Started after everything before, whatever the resolution of the clock.
      const startedAt = new Date(Date.now() + 1_000);
      await recordScan(database, orgId, dataSourceId, detections, { source: 'code', startedAt });
      return model.scan(new Map(seen.map((problem) => [problem, version])));
    }
    if ('scope' in given) {
      const { kind, scope, outcome, endsWithVersion, isLate } = given;
      const isRequest = kind === 'request';
      const third = (await read()).get(2);
      if (scopes[scope]!.scope.finding && !third) return;
      const stated = scopes[scope]!.scope.finding ? { finding: [third!.id] } : scopes[scope]!.scope;
      const json = {
        outcome,
        reason: 'x',
        scope: stated,
        ends_when: endsWithVersion ? { version_changes: true } : null,
      };
      const by = isRequest ? tokens.requester : tokens.owner;
      ids.push(succeeded(await app.call(by, 'POST', '/decisions', { json })).id);
      model.add({ scope, outcome, endsWithVersion, status: isRequest ? 'requested' : 'active' });
      if (isRequest) return;
      model.jobs.add(ids.length - 1);
      return isLate ? undefined : follow(ids.length - 1);
    }
    if (given.kind === 'patch') {
      const finding = (await read()).get(given.problem);
      if (!finding) return;
      const { status } = given;
      const after = succeeded(await app.call(token, 'PATCH', `/findings/${finding.id}`, { json: { status } }));
      if (model.setStatus(given.problem, status)) ids.push(after.decision.id);
      return;
    }
    if (ids.length === 0) return;
    const id = given.nth % ids.length;
    if (given.kind === 'follow') return follow(id);
    if (given.kind === 'die') return die(id);
    const isActive = model.decisions[id]!.status === 'active';
    const isRequested = model.decisions[id]!.status === 'requested';
    if (given.kind === 'approve' || given.kind === 'reject') {
      const { kind, by, isLate } = given;
      const json = { version: 1 };
      const { status } = await app.call(tokens[by], 'POST', `/decisions/${ids[id]}/${kind}`, { json });
      if (by !== 'owner') return assert.equal(status, by === 'requester' ? 403 : 401);
      assert.equal(status, isRequested ? 200 : 409);
      if (!isRequested) return;
      if (kind === 'reject') model.decisions[id]!.status = 'rejected';
      else model.approve(id);
      return kind === 'reject' || isLate ? undefined : follow(id);
    }
    if (given.kind === 'withdraw') {
      // Nobody but the requester withdraws a request.
      if (isRequested) assert.equal((await app.call(token, 'DELETE', `/decisions/${ids[id]}`)).status, 403);
      const by = isRequested ? tokens.requester : token;
      const { status } = await app.call(by, 'DELETE', `/decisions/${ids[id]}`);
      assert.equal(status, isActive || isRequested ? 204 : 409);
      if (isActive || isRequested) model.end(id, 'withdrawn');
      return;
    }
    if (!isActive && !isRequested) return;
    const end = isRequested ? 'expires_at' : 'until';
    const text = `UPDATE decisions SET ${end} = clock_timestamp() - interval '1 day' WHERE org_id = $1 AND id = $2`;
    await database.single(orgId, { text, values: [orgId, ids[id]!] });
    await decisionTicks[0]!.run({ database });
    model.end(id, 'expired');
  };
  const compare = async (what: string) => {
    const actual = [...(await read())].map(([index, { status, decision }]) => [index, status, decision?.id ?? null]);
    const expected = [...model.findings].map(([index, { status, decision }]) => [
      ...[index, status, decision === null ? null : ids[decision]!],
    ]);
    assert.deepEqual(actual.sort(), expected.sort(), what);
  };
  for (const [at, given] of steps.entries()) {
    await perform(given);
    await compare(`after step ${at}: ${JSON.stringify(given)}`);
  }
  while (model.jobs.size > 0) for (const id of model.jobs) await follow(id);
  await compare('after all jobs');
  const { data: listed } = succeeded(
    await app.call(token, 'GET', '/decisions?status=active,requested,rejected,withdrawn,expired,ended&limit=100'),
  );
  const statuses = new Map(listed.map(({ id, status }: Finding) => [id, status]));
  assert.deepEqual(
    ids.map((id) => statuses.get(id)),
    model.decisions.map(({ status }) => status),
  );
}

/** Runs random sequences, each from an organization of its own, and compares the findings with the model after each step. */
export async function checkSequences(app: Application, bounds: { numRuns: number; limitMs: number }): Promise<void> {
  const all: Step = { kind: 'scan', seen: problems.map((_, index) => index), version: versions[0]! };
  const sequence = fc.array(step, { minLength: 6, maxLength: 16, size: 'max' });
  await checkProperty(
    fc.asyncProperty(sequence, (steps) => run(app, [all, ...steps])),
    bounds,
  );
}
