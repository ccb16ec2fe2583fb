import type { Db } from '../../platform/postgres/database.ts';
import { hashOf } from '../facts.ts';
import { recordTexts, textIdOf, textOf } from '../shared-texts.ts';
import { type OwnTexts, ownWords, type SharedTexts } from '../words.ts';

type Facts = Omit<OwnTexts, 'title'> & SharedTexts;

/** A finding as an older version stored it: with its texts among its facts. The JSON is text. */
type Whole = {
  id: string;
  title: string;
  severity: number;
  occurrences: number;
  facts: string;
  places: string | null;
  factsHash: string;
};

async function listWhole(tx: Db, orgId: string, ids: string[]): Promise<Whole[]> {
  const { rows } = await tx.query<Whole>({
    name: 'findings_list_whole',
    text: `SELECT id, title, severity, occurrences, facts::text AS facts, places::text AS places, facts_hash::text AS "factsHash"
           FROM findings WHERE org_id = $1 AND id = ANY($2::text[]) AND facts::text ^@ '{"description":' ORDER BY id`,
    values: [orgId, ids],
  });
  return rows;
}

/**
 * Returns the hash of the facts as they would be stored today. Older versions did not know the tags of rules; the next
 * import of the same file would otherwise change the finding.
 */
function renewedHash({ places, factsHash, ...finding }: Whole, parsed: Facts): string {
  if (parsed.rule.tags) return factsHash;
  const facts = JSON.stringify({ ...parsed, rule: { ...parsed.rule, tags: [] } });
  return hashOf({ ...finding, facts, places: places ?? 'null' });
}

function sharing(whole: Whole) {
  const parsed = JSON.parse(whole.facts) as Facts;
  const { description, remediation, references, ...facts } = parsed;
  const texts = { description, remediation, references };
  return {
    texts,
    row: {
      id: whole.id,
      old_hash: whole.factsHash,
      facts_hash: renewedHash(whole, parsed),
      facts: { ...facts, rule: { ...facts.rule, tags: facts.rule.tags ?? [] } },
      words: ownWords({ ...parsed, title: whole.title }),
      text: textOf(texts),
    },
  };
}

/**
 * Moves the texts of findings that an older version stored to where findings share them, and stores the words of those
 * whose texts it did not search. Run it before the transaction locks findings: see `recordTexts`. A finding that a scan has
 * written meanwhile shares its texts already.
 */
export async function shareTexts(tx: Db, orgId: string, ids: string[]): Promise<void> {
  const shared = (await listWhole(tx, orgId, ids)).map(sharing);
  if (shared.length === 0) return;
  await recordTexts(tx, orgId, new Map(shared.map(({ row, texts }) => [row.text, () => texts])));
  const rows = shared.map(({ row }) => row);
  await tx.query({
    name: 'findings_share_texts',
    text: `WITH locked AS MATERIALIZED (
             SELECT id FROM findings WHERE org_id = $1 AND id = ANY($3::text[]) ORDER BY id FOR NO KEY UPDATE)
           UPDATE findings f SET facts = d.facts, facts_hash = d.facts_hash, words = array_to_tsvector(d.words),
             text_id = ${textIdOf('d.text')}
           FROM json_to_recordset($2::json) AS d(id text, old_hash bigint, facts_hash bigint, facts json, words text[], text bigint)
           JOIN locked USING (id)
           WHERE f.org_id = $1 AND f.id = d.id AND f.facts_hash = d.old_hash AND f.facts::text ^@ '{"description":'`,
    values: [orgId, JSON.stringify(rows), rows.map(({ id }) => id)],
  });
}
