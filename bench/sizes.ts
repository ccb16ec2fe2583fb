import { measureDisk } from './disk.ts';
import { measureEndpoints } from './endpoints.ts';
import { measureFigures } from './figures.ts';
import { measureLists } from './growth.ts';
import { digits, markdownTable, type Row, tableOf } from './measure.ts';
import { type FindingsDirectory, prepareFindings } from './prepare-findings.ts';
import { measureSummary } from './summary.ts';

/** Measures everything that may grow with the number of findings. */
async function measureSize(findings: FindingsDirectory): Promise<Row[]> {
  return [
    ...(await measureLists(findings)),
    ...(await measureEndpoints(findings, ['listFindings', 'getFinding'])),
    ...(await measureSummary(findings)),
    ...(await measureFigures(findings)),
    ...(await measureDisk(findings)),
  ];
}

/**
 * Returns the rows of all sizes as one Markdown table with a column for each size, and the growth from the first to
 * the last.
 */
function tableOfSizes(counts: number[], rowsOfSizes: Row[][]): string {
  const questions = rowsOfSizes[0]!.map(({ question }) => question);
  const shared = questions.filter((one) => rowsOfSizes.every((rows) => rows.some(({ question }) => question === one)));
  const lines = shared.map((question) => {
    const found = rowsOfSizes.map((rows) => rows.find((row) => row.question === question)!);
    const [first, last] = [found[0]!, found.at(-1)!];
    const growth = first.value > 0 ? `${digits(last.value / first.value)} ×` : '';
    return [question, ...found.map(({ value, unit }) => `${digits(value)} ${unit}`.trim()), growth, last.bound ?? ''];
  });
  const sizes = counts.map((count) => count.toLocaleString('en-US'));
  return markdownTable([['Among so many findings', ...sizes, 'Growth', 'Bound'], ...lines]);
}

/** Returns a chart of these queries over the sizes, in Mermaid notation, which GitHub and GitLab render. */
function chartOfSizes(title: string, counts: number[], rowsOfSizes: Row[][], questions: string[]): string {
  const series = questions.map((one) =>
    rowsOfSizes.map((rows) => rows.find(({ question }) => question === one)!.value.toFixed(1)),
  );
  return [
    '```mermaid',
    'xychart-beta',
    `  title "${title}"`,
    `  x-axis [${counts.map((count) => `"${count.toLocaleString('en-US')}"`).join(', ')}]`,
    '  y-axis "ms"',
    ...series.map((values) => `  line [${values.join(', ')}]`),
    '```',
  ].join('\n');
}

/** Measures each size and returns the table and the charts, as Markdown. */
export async function measureSizes(counts: number[]): Promise<string> {
  const rowsOfSizes: Row[][] = [];
  for (const count of counts) {
    const rows = await measureSize(await prepareFindings(count));
    process.stderr.write(`Among ${count}:\n${tableOf(rows)}\n`);
    rowsOfSizes.push(rows);
  }
  const chart = (title: string, questions: string[]) => chartOfSizes(title, counts, rowsOfSizes, questions);
  const lists = 'Lists by any two filters and order';
  const afterChange = ['Facets of all fields', 'Groups'].map((name) => `${name} after a change, p99`);
  return [
    tableOfSizes(counts, rowsOfSizes),
    chart('Lists by any two filters: p99 and p50', [`${lists}, p99`, `${lists}, p50`]),
    chart('Facets, groups and summary after a change: p99', [...afterChange, 'Summary after a change, p99']),
  ].join('\n\n');
}
