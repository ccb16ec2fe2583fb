import { parseArgs } from 'node:util';
import { createAllInOne } from './all-in-one.ts';
import { createSeveralNodes } from './several-nodes.ts';
import { faultsMs, type Outcome, soak } from './soak.ts';

const usage = `npm run soak -- [--minutes 2 | --hours N] [--kills N] [--layout all|one|several] [--seed N]
Kills, stops, fills, misleads and upgrades installations under load, then checks that nothing is lost, doubled, stuck, failed or other than in SQL.`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    hours: { type: 'string' },
    kills: { type: 'string' },
    layout: { type: 'string', default: 'all' },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const layouts = { one: createAllInOne, several: createSeveralNodes };
const names = values.layout === 'all' ? (['one', 'several'] as const) : [values.layout as keyof typeof layouts];
const minutes = values.hours ? Number(values.hours) * 60 : Number(values.minutes);
const kills = values.kills ? Number(values.kills) : Number.POSITIVE_INFINITY;
const seed = values.seed ? Number(values.seed) : Math.floor(Math.random() * 1e6);
if (values.help || !names.every((name) => name in layouts) || !(minutes > 0 && kills > 0 && Number.isInteger(seed))) {
  process.stdout.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}

const tableOf = (heading: string, figures: Record<string, number>) =>
  [
    `| ${heading} | times |`,
    '| --- | --- |',
    ...Object.entries(figures).map(([name, figure]) => `| ${name} | ${figure} |`),
  ].join('\n');

function describe(outcome: Outcome): string {
  const { layout, seconds, kills: killed, tried, counts, longestMs, settledMs, left, faults } = outcome;
  return [
    `\n## ${layout}: ${seconds} s, ${killed} kills, seed ${outcome.seed}\n`,
    tableOf('tried', tried),
    '',
    tableOf('meanwhile', counts),
    '',
    `Longest request: ${(longestMs / 1_000).toFixed(1)} s. Nothing under way any more ${(settledMs / 1_000).toFixed(1)} s after the last fault.`,
    ...left.map((reason) => `Not tried: ${reason}`),
    faults.length === 0 ? 'Nothing was lost, doubled, stuck or failed.' : `${faults.length} faults:`,
    ...faults.map((fault) => `- ${fault}`),
    '',
  ].join('\n');
}

const kindsOfFaults = ['lost', 'doubled', 'stuck', 'failed', 'different'];
const kindOf = (fault: string) =>
  kindsOfFaults.find((kind) => fault.startsWith(`${kind}:`) || fault.startsWith(`${kind} `));

/** The table at the end of a run: a column for each layout, and the results. */
function summarize(outcomes: Outcome[]): string {
  const row = (title: string, figure: (outcome: Outcome) => number | string) =>
    `| ${title} | ${outcomes.map(figure).join(' | ')} |`;
  const count = (what: string) => (outcome: Outcome) => outcome.counts[what] ?? 0;
  const times = ({ tried }: Outcome) => Object.values(tried).reduce((sum, figure) => sum + figure, 0);
  const isUpgrade = (name: string) => name.startsWith('upgrade');
  return [
    `\n## In all: seed ${seed}, ${Math.round((performance.now() - begun) / 60_000)} minutes\n`,
    `| | ${outcomes.map(({ layout }) => layout).join(' | ')} |`,
    `| --- |${' --- |'.repeat(outcomes.length)}`,
    row('kills', ({ kills: killed }) => killed),
    row('other faults', (outcome) => times(outcome) - outcome.kills),
    row('upgraded under load', ({ tried }) => (Object.keys(tried).some(isUpgrade) ? 'yes' : 'no')),
    ...[
      'successful requests',
      'imports',
      'scans',
      'decisions',
      'comments',
      'reports',
      'answers compared with SQL',
      'broken connections',
    ].map((what) => row(what, count(what))),
    row('longest request, in seconds', ({ longestMs }) => (longestMs / 1_000).toFixed(1)),
    row('all work had ended, seconds after the last fault', ({ settledMs }) => (settledMs / 1_000).toFixed(1)),
    ...kindsOfFaults.map((kind) => row(kind, ({ faults }) => faults.filter((fault) => kindOf(fault) === kind).length)),
    row('other problems', ({ faults }) => faults.filter((fault) => kindOf(fault) === undefined).length),
    '',
  ].join('\n');
}

const begun = performance.now();
const outcomes: Outcome[] = [];
process.stderr.write(`The seed is ${seed}.\n`);
for (const name of names) {
  const layout = await layouts[name]();
  // Otherwise its processes and the small disk of its database would stay.
  const interrupted = () => void layout.remove().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted);
  try {
    const outcome = await soak(layout, {
      seed,
      durationMs: faultsMs(minutes / names.length),
      maxKills: kills / names.length,
      say: (text) => process.stderr.write(`${text}\n`),
    });
    process.stdout.write(describe(outcome));
    outcomes.push(outcome);
    if (outcome.faults.length > 0) {
      process.exitCode = 1;
      process.stderr.write(`\nThe last lines of the processes:\n${layout.output()}\n`);
    }
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await layout.remove();
  }
}
process.stdout.write(summarize(outcomes));
