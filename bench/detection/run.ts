import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from '../measure.ts';
import { checkWithBandit } from './bandit.ts';
import { checkWithCheckov } from './checkov.ts';
import { checkEstate, countResources } from './estates.ts';
import { checkCases, type Outcome, ratesOf, youdenIndex } from './measure-detection.ts';
import { checkWithNjsscan } from './njsscan.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'detection-quality.md');

/**
 * Checks the cases with the built-in rules, and those in Python and JavaScript with Bandit and njsscan too, prints a table by language and family,
 * and with `write` puts it into `docs/detection-quality.md`.
 */
export async function measureDetection(write: boolean): Promise<Row[]> {
  const outcomes = await checkCases();
  const languages = Object.entries(Object.groupBy(outcomes, ({ test }) => test.language)) as Array<[string, Outcome[]]>;
  const peers = await checkWithPeers(outcomes);
  const terraform = await measureTerraform();
  const tables = [
    tableOf('Language', [
      ...languages,
      ...peers.map(({ language, name, found }): [string, Outcome[]] => [`${language}, ${name}`, found]),
    ]),
    familyTable(languages, peers),
    terraform.table,
  ].join('\n\n');
  process.stdout.write(`\n${tables}\n`);
  if (write) {
    const text = await readFile(page, 'utf8');
    const [before, after] = [
      text.slice(0, text.indexOf('<!-- measured -->')),
      text.slice(text.indexOf('<!-- end -->')),
    ];
    await writeFile(page, `${before}<!-- measured -->\n\n${tables}\n\n${after}`);
  }
  const rows = languages.map(([language, own]) => ({
    question: `Detection in ${language}: true less false positive rate (${own.length} cases)`,
    value: youdenIndex(ratesOf(own)),
    unit: '',
    bound: '>= 0.5',
  }));
  return [...rows, ...terraform.rows];
}

type Peer = { language: string; name: string; found: Outcome[] };

/** Runs other scanners on the cases of their language. Those that can't be installed are left out. */
async function checkWithPeers(outcomes: Outcome[]): Promise<Peer[]> {
  const casesIn = (name: string) => outcomes.map(({ test }) => test).filter(({ language }) => language === name);
  const peers = [
    { language: 'python', name: 'Bandit', found: await checkWithBandit(casesIn('python')) },
    { language: 'javascript', name: 'njsscan', found: await checkWithNjsscan(casesIn('javascript')) },
  ];
  return peers.flatMap(({ found, ...peer }) => (found ? [{ ...peer, found }] : []));
}

/** Compares the resources that the built-in checks report with those that Checkov reports. */
async function measureTerraform(): Promise<{ table: string; rows: Row[] }> {
  const own = await checkEstate('vulnerable');
  const falseAlarms = (await checkEstate('secure')).size;
  const theirs = await checkWithCheckov('vulnerable');
  const theirAlarms = await checkWithCheckov('secure');
  const both = theirs && [...theirs.keys()].filter((resource) => own.has(resource)).length;
  const cells = [
    ['Assay', await countResources('vulnerable'), own.size, await countResources('secure'), falseAlarms],
    ['Checkov', '', theirs?.size ?? '·', '', theirAlarms?.size ?? '·'],
    ['both', '', both ?? '·', '', ''],
  ];
  const table = [
    '| Terraform | resources, vulnerable | reported | resources, secure | reported |',
    '| --- | --- | --- | --- | --- |',
    ...cells.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
  const question = 'Terraform: resources that Checkov reports and the built-in checks too';
  const rows = theirs ? [{ question, value: (both ?? 0) / theirs.size, unit: '', bound: '>= 0.7' }] : [];
  return { table, rows };
}

const percent = (part: number, whole: number) => `${Math.round((100 * part) / Math.max(1, whole))} %`;

function tableOf(title: string, groups: Array<[string, Outcome[]]>): string {
  const rows = groups.map(([name, outcomes]) => {
    const rates = ratesOf(outcomes);
    const { harmful, found, harmless, alarms } = rates;
    return `| ${name} | ${harmful + harmless} | ${percent(found, harmful)} | ${percent(alarms, harmless)} | ${youdenIndex(rates).toFixed(2)} |`;
  });
  return [
    `| ${title} | cases | true positives | false positives | Youden index |`,
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** The index by family and language; a point where a language has no cases. */
function familyTable(languages: Array<[string, Outcome[]]>, peers: Peer[]): string {
  const columns = [...languages, ...peers.map(({ name, found }): [string, Outcome[]] => [name, found])];
  const families = [...new Set(languages.flatMap(([, outcomes]) => outcomes.map(({ test }) => test.family)))];
  const rows = families.map((family) => {
    const cells = columns.map(([, outcomes]) => {
      const own = outcomes.filter(({ test }) => test.family === family);
      return own.length === 0 ? '·' : youdenIndex(ratesOf(own)).toFixed(2);
    });
    return `| ${[family, ...cells].join(' | ')} |`;
  });
  return [
    `| ${['Family', ...columns.map(([name]) => name)].join(' | ')} |`,
    `|${' --- |'.repeat(columns.length + 1)}`,
    ...rows,
  ].join('\n');
}
