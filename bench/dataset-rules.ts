import type pg from 'pg';
import { textOf } from '../server/findings/shared-texts.ts';
import { sharedWords, wordsOf } from '../server/findings/words.ts';

/** The number of rules of each source: few kinds of secrets, thousands of advisories. */
const ruleCounts = { secrets: 150, code: 500, dependencies: 4000, web: 90 };

const subjects = [
  'credential',
  'query',
  'template',
  'upload',
  'redirect',
  'cookie',
  'header',
  'cipher',
  'parser',
  'path',
];
const problems = [
  'exposed',
  'injection',
  'overflow',
  'disclosure',
  'traversal',
  'forgery',
  'exhaustion',
  'bypass',
  'downgrade',
];
const parts = ['login', 'session', 'export', 'import', 'search', 'billing', 'webhook', 'gateway', 'queue', 'archive'];

const sentence = (seed: number) =>
  `The ${parts[seed % 10]} accepts a ${subjects[(seed * 7) % 10]} from outside and passes it on unchecked, so that an attacker can ` +
  `cause ${problems[(seed * 3) % 9]} and read or change what belongs to others.`;

/** Most rules have a middle severity; a rule always has the same severity. */
function severityOf(seed: number): number {
  const share = (seed * 2654435761) % 100;
  return share < 8 ? 4 : share < 30 ? 3 : share < 68 ? 2 : share < 90 ? 1 : 0;
}

function ruleOf(source: string, number: number, total: number) {
  const seed = number * 31 + source.length;
  const subject = subjects[seed % 10]!;
  const problem = problems[(seed >> 3) % 9]!;
  const name = `${subject} ${problem} ${number}`;
  const id = `${source}.${subject}-${problem}-${number}`;
  const identifiers = [
    `CWE-${20 + (seed % 900)}`,
    ...(source === 'dependencies' ? [`CVE-2024-${10000 + number}`] : []),
  ];
  const texts = {
    description: `${sentence(seed)} ${sentence(seed + 5)}`,
    remediation: `Check every ${subject} where it enters, and refuse what is not expected there: chapter${number % 200}.`,
    references: [`https://example.com/rules/${id}`],
  };
  return {
    source,
    number,
    total,
    id,
    name,
    severity: severityOf(seed),
    title: `${subject[0]!.toUpperCase()}${subject.slice(1)} ${problem} in ${parts[number % 10]}`,
    reference: texts.references[0],
    identifiers,
    text: textOf(texts),
    text_words: sharedWords(texts),
    text_members: JSON.stringify(texts).slice(1, -1),
    words: wordsOf(subject, problem, parts[number % 10]!, id, name, identifiers.join(' ')),
  };
}

/** Creates the temporary table of rules from which findings are made. */
export async function createRules(client: pg.Client): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE bench_rules (source text, number integer, total integer, id text, name text, severity smallint, title text,
       reference text, identifiers json, words text[],
       text bigint, text_words text[], text_members text, PRIMARY KEY (source, number))`,
  );
  for (const [source, total] of Object.entries(ruleCounts)) {
    const rows = Array.from({ length: total }, (_, number) => ruleOf(source, number, total));
    await client.query('INSERT INTO bench_rules SELECT * FROM json_populate_recordset(NULL::bench_rules, $1)', [
      JSON.stringify(rows),
    ]);
  }
  await client.query('ANALYZE bench_rules');
}
