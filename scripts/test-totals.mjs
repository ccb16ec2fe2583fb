// Adds up the results that test runs wrote to a file, and prints them like the closing lines of a single run.
import { readFileSync } from 'node:fs';

const totals = new Map();
for (const line of readFileSync(process.argv[2], 'utf8').split('\n')) {
  const [, name, figure] = /^(\w+) ([\d.]+)$/.exec(line) ?? [];
  if (name) totals.set(name, (totals.get(name) ?? 0) + Number(figure));
}
process.stdout.write([...totals].map(([name, figure]) => `ℹ ${name} ${figure}\n`).join(''));
