import { type Db, sentTogether } from '../platform/postgres/database.ts';
import type { MergeColumn } from './fact-columns.ts';
import type { FactSource } from './fact-source.ts';
import { allOf } from './words.ts';

// The rule, description, remediation and references repeat among findings. They and their words are stored once per
// organization, in `finding_texts`; `findings.text_id` refers to the row.

/** SQL for `findings.text_id`, from a number of `textOf` (facts.ts). */
export const textIdOf = (text: string, organization = '$1'): string => `${text} # hashtextextended(${organization}, 1)`;

/** SQL for the rule of a finding `f` as JSON; `$1` is the organization. */
export const ruleOf = '(SELECT t.rule FROM finding_texts t WHERE t.org_id = $1 AND t.id = f.text_id)';

/** The purge locks it exclusively, so that no text disappears between its lookup and the finding that refers to it. */
const lockKey = `hashtextextended('finding texts ' || $1, 0)`;

const columns = ['shared_text', 'shared_rule', 'shared_members', 'shared_words'] as const satisfies MergeColumn[];

/**
 * Stores the new texts of a batch with their words. Run it after `lookUpByIndex`, and before the transaction locks
 * findings: two transactions that store the same text wait for each other, always in the same order.
 */
export async function recordTexts(tx: Db, orgId: string, facts: FactSource): Promise<void> {
  const kept = tx.query({
    name: 'finding_texts_keep',
    text: `SELECT pg_advisory_xact_lock_shared(${lockKey})`,
    values: [orgId],
  });
  const inserted = tx.query({
    name: `finding_texts_insert_${facts.kind}`,
    // LIMIT 1: each text is looked up by its key. A join planned while the table was small read all texts for each
    // batch: an import of 1,000,000 findings with distinct texts took 707 s instead of 391. MATERIALIZED: the key is
    // computed first, since under row-level security a comparison with a function that is not leakproof need not be an
    // index condition.
    text: `WITH d AS MATERIALIZED (SELECT ${textIdOf('given.text')} AS id, given.rule, given.members, given.words
             FROM ${facts.table([...columns], 2)} b, unnest(b.shared_text, b.shared_rule, b.shared_members, b.shared_words) AS given(text, rule, members, words))
           INSERT INTO finding_texts (org_id, id, rule, members, words)
           SELECT $1, d.id, d.rule, d.members, array_to_tsvector(string_to_array(d.words, ' ')) FROM d
           LEFT JOIN LATERAL (SELECT t.id FROM finding_texts t WHERE t.org_id = $1 AND t.id = d.id LIMIT 1) stored ON true
           WHERE stored.id IS NULL ORDER BY d.id
           ON CONFLICT (org_id, id) DO NOTHING`,
    values: [orgId, ...facts.values([...columns])],
  });
  await sentTogether([kept, inserted]);
}

const purgedAtOnce = 2_000;

/** Sorts before the first id. A text with this number itself is as unlikely as two texts with the same number. */
const start = `${-(2n ** 63n)}`;

/** Removes the organization's texts without a finding, unless findings are being written: then the next purge does. */
export async function purgeTexts(transact: <T>(run: (tx: Db) => Promise<T>) => Promise<T>, orgId: string) {
  for (let after = start; ; ) {
    const last: string | null = await transact(async (tx) => {
      const { rows } = await tx.query<{ locked: boolean }>({
        text: `SELECT pg_try_advisory_xact_lock(${lockKey}) AS locked`,
        values: [orgId],
      });
      return rows[0]!.locked ? purgeRange(tx, orgId, after) : null;
    });
    if (last === null) return;
    after = last;
  }
}

/** Returns the last text of the range, null at the end. */
async function purgeRange(tx: Db, orgId: string, after: string): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>({
    // `t.id` orders by number; `id` alone would be the text.
    text: `SELECT t.id::text AS id FROM finding_texts t WHERE t.org_id = $1 AND t.id > $2::bigint ORDER BY t.id LIMIT $3`,
    values: [orgId, after, purgedAtOnce],
  });
  if (rows.length === 0) return null;
  await tx.query({
    text: `DELETE FROM finding_texts t WHERE t.org_id = $1 AND t.id = ANY($2::bigint[])
             AND NOT EXISTS (SELECT FROM findings f WHERE f.org_id = $1 AND f.text_id = t.id)`,
    values: [orgId, rows.map(({ id }) => id)],
  });
  return rows.length < purgedAtOnce ? null : rows.at(-1)!.id;
}

/** Lists the organizations with texts. */
export async function listOrganizationsWithTexts(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({ text: 'SELECT id FROM organizations_with_finding_texts() AS id' });
  return rows.map(({ id }) => id);
}

/**
 * A search by words: `own`, a tsquery on a finding's own words, and the `words` of `q`, which may be in its shared
 * texts too.
 */
export type Search = { own: string | null; words: string[] };

/** With more words, the texts of each finding are looked up, even for many findings. */
const maxListed = 5;

/**
 * Returns the condition for findings that have the words. For a few findings, their texts are looked up by key (OFFSET
 * 0 prevents a hash join). For `many`, the texts with each word are listed once: that takes a few milliseconds, and
 * then hardly anything per finding.
 */
export function searchCondition(
  { own, words }: Search,
  parameters: { add(value: unknown): string },
  many = false,
): string {
  const conditions = own === null ? [] : [`f.words @@ ${parameters.add(own)}::tsquery`];
  if (many && words.length <= maxListed) {
    for (const word of words) {
      const [query, listed] = [parameters.add(allOf([word])), parameters.add(word)];
      conditions.push(`(f.words @@ ${query}::tsquery OR f.text_id IN (SELECT texts_with_word(${listed}::text)))`);
    }
  } else if (words.length > 0) {
    const query = `${parameters.add(allOf(words))}::tsquery`;
    const all = words.length === 1 ? 't.words' : '(f.words || t.words)';
    conditions.push(`(f.words @@ ${query} OR EXISTS (SELECT FROM finding_texts t
      WHERE t.org_id = $1 AND t.id = f.text_id AND ${all} @@ ${query} OFFSET 0))`);
  }
  return conditions.join(' AND ');
}
