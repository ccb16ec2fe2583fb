import { randomInt } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The seed of this run. `npm test` chooses another one each time and prints it. */
const seed = Number(process.env.ASSAY_TEST_SEED) || randomInt(1, 2 ** 31);

/** The number of values and the time, as multiples of those of `npm test`. */
const boxes = {
  short: { values: 1, time: 1 },
  long: { values: 10, time: 10 },
  // A repeated run with a seed reaches the failing value, even on a slow machine.
  repeated: { values: 50, time: 200 },
};
const box = boxes[(process.env.ASSAY_TEST_PROPERTIES ?? 'short') as keyof typeof boxes];

function report<Values>(out: fc.RunDetails<Values>): void {
  // The time ran out before the first value beyond the minimum.
  if (!out.failed || (out.interrupted && out.counterexample === null)) return;
  const file = relative(root, process.argv[1] ?? '');
  const again = `Repeat it with ASSAY_TEST_SEED=${seed} npm test -- ${file}`;
  throw new Error(`${fc.defaultReportMessage(out)}\n\n${again}`, { cause: out.errorInstance });
}

/** The number of values that are tried on however slow a machine. */
const minRuns = 5;

type Bounds = {
  /** The number of values that `npm test` tries. */
  numRuns?: number;
  /** The time after which the remaining values are skipped. */
  limitMs?: number;
  endOnFailure?: boolean;
};

type CheckProperty = {
  <Values>(property: fc.IAsyncProperty<Values>, bounds?: Bounds): Promise<void>;
  <Values>(property: fc.IProperty<Values>, bounds?: Bounds): void;
};

/** Checks a property with the seed of this run, within a time box. `npm run test:long` tries more values. */
export const checkProperty = ((
  property: fc.IAsyncProperty<unknown>,
  { numRuns = 100, limitMs = 5_000, endOnFailure = false }: Bounds = {},
) => {
  const shared = { endOnFailure, reporter: report };
  const least = () => fc.assert(property, { ...shared, seed, numRuns: Math.min(numRuns, minRuns) });
  const others = () =>
    fc.assert(property, {
      ...shared,
      seed: seed + 1,
      numRuns: numRuns * box.values,
      interruptAfterTimeLimit: limitMs * box.time,
    });
  if (property.isAsync()) return least().then(others);
  least();
  return others();
}) as CheckProperty;

/** Returns values from the seed of this run. Each `use` gets others. */
export const sampleValues = <Value>(values: fc.Arbitrary<Value>, count: number, use: number): Value[] =>
  fc.sample(values, { seed: seed + use, numRuns: count });
