import type { Detection } from '@assay/scanner/contract/detection.ts';
import { detectionOf } from '../../findings/findings.fixture.ts';

const cve = 'CVE-2099-0001';
/** The problems that scans see, each in one or several scopes. */
export const problems = [
  { rule: 'r0', path: 'src/a.py', hasCve: false, inPackage: false },
  { rule: 'r0', path: 'docs/examples/b.py', hasCve: false, inPackage: false },
  { rule: 'r0', path: 'docs/examples/c.py', hasCve: true, inPackage: false },
  { rule: 'r1', path: 'package-lock.json', hasCve: true, inPackage: true },
];
export const versions = ['1.0.0', '1.9.0', '2.0.0'];

export function detectionAt(problem: number, version: string): Detection {
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

/** The part of a finding that an undo restores. */
type Restorable = {
  status: string;
  decision: number | null;
  /** The decisions up to this one apply no longer: a person took it out of them. */
  left: number;
  acceptedAgain: boolean;
};
type State = Restorable & { seenLast: boolean; version: string };
type Problem = { index: number; version: string };

/** Scopes, widest first: `looksAt` selects the findings that its job reads, `contains` those in the scope. */
const byRule = ({ index }: Problem) => problems[index]!.rule === 'r0';
const inLeftPad = ({ index }: Problem) => problems[index]!.inPackage;
const byCve = ({ index }: Problem) => problems[index]!.hasCve;
const isThird = ({ index }: Problem) => index === 2;
export const scopes = [
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
  /** When it ends, and when a request does that nobody approves: hours since the start. */
  until: number | null;
  expires?: number;
  /** Its place in the order in which decisions took effect. */
  made: number;
  own?: number;
};
const isOpen = (status: string) => ['new', 'triaged', 'in_progress'].includes(status);
const requestHours = 30 * 24;

/** A finding that a bulk update has changed, as it was before. */
type Changed = { index: number; before: Restorable; own: number | undefined; rowVersion: number };
export type Bulk = {
  status: string;
  until: number | null;
  cursor: string;
  changed: Changed[];
  state: 'running' | 'completed' | 'undone';
  completedAt: number;
};
/** A finding as the database has it: a bulk update goes by its id, its version, and when it last changed. */
export type Row = { id: string; rowVersion: number };

/** The rules of docs/deciding.md, implemented without a database. */
export class Model {
  readonly findings = new Map<number, State>();
  readonly decisions: Decided[] = [];
  readonly bulks: Bulk[] = [];
  /** Hours since the start, by a clock that is also set back. */
  clock = 0;
  #made = 0;
  /** Decisions whose job has not run yet. */
  readonly jobs = new Set<number>();

  /** Adds a decision, or a request, and returns its index. */
  add(decision: Omit<Decided, 'made' | 'expires'>): number {
    this.#made += 1;
    const expires = Math.min(this.clock + requestHours, decision.until ?? Number.POSITIVE_INFINITY);
    return this.decisions.push({ ...decision, expires, made: this.#made }) - 1;
  }

  approve(id: number): void {
    this.#made += 1;
    Object.assign(this.decisions[id]!, { status: 'active', made: this.#made });
    this.jobs.add(id);
  }

  listMatching(index: number): number[] {
    const { version, left } = this.findings.get(index)!;
    const { decisions } = this;
    const holds = ({ scope, status, own, made, until }: Decided) =>
      status === 'active' &&
      (until === null || until > this.clock) &&
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

  /** Sets the status as a person does. Returns whether something changed, and the decision that it made. */
  setStatus(index: number, status: string, until?: number | null): { isChanged: boolean; made: number | null } {
    const finding = this.findings.get(index)!;
    const isAgain = finding.status === status;
    const endsNow = isAgain && status === 'accepted_risk' ? this.decisions[finding.decision!]!.until : null;
    if (isAgain && (until === undefined || until === endsNow)) return { isChanged: false, made: null };
    const isDecision = status === 'false_positive' || status === 'accepted_risk';
    if (isDecision || finding.decision !== null) this.withdrawOwn(index);
    if (isDecision) {
      const scope = scopes.findIndex(({ scope }) => scope.finding);
      const unscoped = { scope, outcome: status, endsWithVersion: false, until: until ?? null };
      finding.decision = this.add({ ...unscoped, status: 'active', own: index });
    } else if (finding.decision !== null) {
      const scoped = this.decisions.filter(({ own, status }) => own === undefined && status === 'active');
      Object.assign(finding, { left: Math.max(-1, ...scoped.map(({ made }) => made)), decision: null });
    }
    Object.assign(finding, { status, acceptedAgain: false });
    return { isChanged: true, made: isDecision ? finding.decision : null };
  }

  withdrawOwn(index: number): void {
    for (const decided of this.decisions)
      if (decided.own === index && decided.status === 'active') decided.status = 'withdrawn';
  }

  /** Sets the status of findings like a batch of a bulk update. Returns what changed, for its undo. */
  changeMany(indexes: number[], { status, until }: Pick<Bulk, 'status' | 'until'>): Omit<Changed, 'rowVersion'>[] {
    const changed: Omit<Changed, 'rowVersion'>[] = [];
    for (const index of indexes) {
      const { status: was, decision, left, acceptedAgain } = this.findings.get(index)!;
      const own = this.decisions.findIndex((decided) => decided.own === index && decided.status === 'active');
      const { isChanged } = this.setStatus(index, status, status === 'accepted_risk' ? until : undefined);
      const before = { status: was, decision, left, acceptedAgain };
      if (isChanged) changed.push({ index, before, own: own < 0 || decision === null ? undefined : own });
    }
    return changed;
  }

  mayUndo({ state, changed, completedAt }: Bulk): boolean {
    return state === 'completed' && changed.length > 0 && completedAt > this.clock - 24;
  }

  /** Restores the findings of a bulk update that nothing has changed since. */
  undo(bulk: Bulk, rows: ReadonlyMap<number, Row>): void {
    bulk.state = 'undone';
    const untouched = bulk.changed.filter(({ index, rowVersion }) => rows.get(index)!.rowVersion === rowVersion);
    const decided = untouched.filter(({ index, before }) => {
      const { status, decision } = this.findings.get(index)!;
      return status !== before.status || decision !== before.decision;
    });
    for (const { index, before } of untouched) Object.assign(this.findings.get(index)!, before);
    for (const { index, own } of decided) {
      this.withdrawOwn(index);
      if (own !== undefined && this.decisions[own]!.status === 'withdrawn') this.decisions[own]!.status = 'active';
    }
    this.decideAgain(decided.map(({ index }) => index));
  }

  /** Ends what is due. */
  tick(): void {
    const due = [...this.decisions.entries()].filter(([, { status, until, expires }]) => {
      const end = status === 'active' ? until : status === 'requested' ? expires! : null;
      return end !== null && end <= this.clock;
    });
    for (const [, decided] of due) decided.status = 'expired';
    for (const [id] of due) this.release(id);
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
