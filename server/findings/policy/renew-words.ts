import type { Db } from '../../platform/postgres/database.ts';
import { recordTexts, textIdOf, textOf } from '../shared-texts.ts';
import { type OwnTexts, ownWords, type SharedTexts } from '../words.ts';

type Facts = Omit<OwnTexts, 'title'> & SharedTexts;
type Unsearched = { id: string; title: string; facts: Facts };

/** Returns those of the findings that an earlier version stored without the words of all their texts. */
async function listUnsearched(tx: Db, orgId: string, ids: string[]): Promise<Unsearched[]> {
  const { rows } = await tx.query<Unsearched>({
    name: 'findings_list_unsearched',
    text: 'SELECT id, title, facts FROM findings WHERE org_id = $1 AND id = ANY($2::text[]) AND text_id IS NULL',
    values: [orgId, ids],
  });
  return rows;
}

/**
 * Stores the words of findings that an earlier version stored with fewer. Run it before the transaction locks findings: see
 * `recordTexts`. A finding that a scan has written meanwhile has its words already.
 */
export async function renewWords(tx: Db, orgId: string, ids: string[]): Promise<void> {
  const findings = await listUnsearched(tx, orgId, ids);
  if (findings.length === 0) return;
  const rows = findings
    .map(({ id, title, facts }) => ({ id, text: textOf(facts), words: ownWords({ ...facts, title }), facts }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  await recordTexts(tx, orgId, new Map(rows.map(({ text, facts }) => [text, () => facts])));
  await tx.query({
    name: 'findings_update_words',
    text: `WITH locked AS MATERIALIZED (
             SELECT id FROM findings WHERE org_id = $1 AND id = ANY($3::text[]) ORDER BY id FOR NO KEY UPDATE)
           UPDATE findings f SET words = array_to_tsvector(d.words), text_id = ${textIdOf('d.text')}
           FROM json_to_recordset($2::json) AS d(id text, text bigint, words text[]) JOIN locked USING (id)
           WHERE f.org_id = $1 AND f.id = d.id AND f.text_id IS NULL`,
    values: [orgId, JSON.stringify(rows.map(({ id, text, words }) => ({ id, text, words }))), rows.map(({ id }) => id)],
  });
}
