import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkEstate, countResources } from '../../scanner/corpus/estates.ts';
import { checkCases, type Outcome, ratesOf, youdenIndex } from '../../scanner/corpus/measure-detection.ts';
import type { Row } from '../measure.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'detection-quality.md');

/**
 * Checks the cases with the built-in rules, prints a table by language and family, and with `write` puts it into
 * `docs/detection-quality.md`.
 */
export async function measureDetection(write: boolean): Promise<Row[]> {
  const outcomes = await checkCases();
  const languages = Object.entries(Object.groupBy(outcomes, ({ test }) => test.language)) as Array<[string, Outcome[]]>;
  const tables = [tableOf('Language', languages), familyTable(languages), await terraformTable()].join('\n\n');
  process.stdout.write(`\n${tables}\n`);
  if (write) {
    const text = await readFile(page, 'utf8');
    const [before, after] = [
      text.slice(0, text.indexOf('<!-- measured -->')),
      text.slice(text.indexOf('<!-- end -->')),
    ];
    await writeFile(page, `${before}<!-- measured -->\n\n${tables}\n\n${after}`);
  }
  return languages.map(([language, own]) => ({
    question: `Detection in ${language}: true less false positive rate (${own.length} cases)`,
    value: youdenIndex(ratesOf(own)),
    unit: '',
    bound: '>= 0.5',
  }));
}

async function terraformTable(): Promise<string> {
  const [found, alarms] = [await checkEstate('vulnerable'), await checkEstate('secure')];
  return [
    '| Terraform | resources | reported |',
    '| --- | --- | --- |',
    `| vulnerable | ${await countResources('vulnerable')} | ${found.size} |`,
    `| secure | ${await countResources('secure')} | ${alarms.size} |`,
  ].join('\n');
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

/** The index by family and language; a dot where a language has no cases. */
function familyTable(languages: Array<[string, Outcome[]]>): string {
  const families = [...new Set(languages.flatMap(([, outcomes]) => outcomes.map(({ test }) => test.family)))];
  const rows = families.map((family) => {
    const cells = languages.map(([, outcomes]) => {
      const own = outcomes.filter(({ test }) => test.family === family);
      return own.length === 0 ? '·' : youdenIndex(ratesOf(own)).toFixed(2);
    });
    return `| ${[family, ...cells].join(' | ')} |`;
  });
  return [
    `| ${['Family', ...languages.map(([name]) => name)].join(' | ')} |`,
    `|${' --- |'.repeat(languages.length + 1)}`,
    ...rows,
  ].join('\n');
}
