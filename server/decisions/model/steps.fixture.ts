import fc from 'fast-check';
import { problems, scopes, versions } from './model.fixture.ts';

const nth = fc.nat(20);
const problem = fc.nat(problems.length - 1);
/** Hours until a decision ends. */
const until = fc.constantFrom(null, 24, 72);
const status = fc.constantFrom('new', 'new', 'in_progress', 'resolved', 'false_positive', 'accepted_risk');
const scope = fc.nat(scopes.length - 1);
const outcome = fc.constantFrom('false_positive', 'accepted_risk', 'triaged');

const weighted = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) => ({ weight, arbitrary });

const action = fc.oneof(
  weighted(
    4,
    fc.record({
      kind: fc.constant('scan' as const),
      seen: fc.uniqueArray(problem, { maxLength: problems.length }),
      version: fc.constantFrom(...versions),
    }),
  ),
  weighted(
    5,
    fc.record({
      // `request` is by a person who may not decide.
      kind: fc.constantFrom('decide' as const, 'request' as const),
      ...{ scope, outcome, until, endsWithVersion: fc.boolean() },
      // A worker that died leaves its job to a later one.
      isLate: fc.constantFrom(false, false, true),
    }),
  ),
  // Two people decide in the same second.
  weighted(
    2,
    fc.record({
      kind: fc.constant('pair' as const),
      scopes: fc.tuple(scope, scope),
      outcomes: fc.tuple(outcome, outcome),
    }),
  ),
  weighted(
    3,
    fc.record({ kind: fc.constant('patch' as const), problem, status, until: fc.option(until, { nil: undefined }) }),
  ),
  weighted(
    2,
    fc.record({
      kind: fc.constant('bulk' as const),
      problems: fc.uniqueArray(problem, { minLength: 1, maxLength: problems.length }),
      ...{ status, until },
    }),
  ),
  weighted(2, fc.record({ kind: fc.constant('operation' as const), status, until })),
  // The next batch of a bulk update by a job.
  weighted(5, fc.record({ kind: fc.constantFrom('advance' as const, 'advance' as const, 'undo' as const), nth })),
  weighted(2, fc.record({ kind: fc.constant('withdraw' as const), nth })),
  weighted(4, fc.record({ kind: fc.constant('clock' as const), hours: fc.constantFrom(-1, 1, 24, 25, 80, 720) })),
  weighted(
    3,
    fc.record({
      kind: fc.constantFrom('approve' as const, 'approve' as const, 'reject' as const),
      ...{ nth, by: fc.constantFrom('owner' as const, 'owner' as const, 'requester' as const, 'former' as const) },
      isLate: fc.boolean(),
    }),
  ),
  // The job of a decision, possibly a repeat: it died before it recorded its completion.
  weighted(1, fc.record({ kind: fc.constant('follow' as const), nth })),
  // Its worker is killed before the transaction commits, and nobody repeats it soon.
  weighted(1, fc.record({ kind: fc.constant('die' as const), nth })),
);

/** A crash of the process in one of the transactions of a step, before or after it commits. The step is then repeated. */
const kill = fc.record({ transaction: fc.integer({ min: 1, max: 3 }), commits: fc.boolean() });

export type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;
export type Kill = typeof kill extends fc.Arbitrary<infer Value> ? Value : never;
export type Step = { action: Action; kill: Kill | null };

const seenFirst: Action = { kind: 'scan', seen: problems.map((_, index) => index), version: versions[0]! };

/** Sequences of steps, after a scan that sees everything. */
export const sequence: fc.Arbitrary<Step[]> = fc
  .array(fc.record({ action, kill: fc.option(kill, { freq: 4 }) }), { minLength: 6, maxLength: 16, size: 'max' })
  .map((steps) => [{ action: seenFirst, kill: null }, ...steps]);
