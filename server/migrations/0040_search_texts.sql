-- `q` also finds words of description, evidence, remediation, package and references. Those of evidence and package are among the
-- finding's own words. Description, remediation and references repeat among the findings of a rule, so their words are stored once for
-- each text (findings/shared-texts.ts). Existing findings get both from the job that computes priorities.

CREATE TABLE finding_texts (
  org_id text COLLATE "C" NOT NULL,
  -- A hash of the texts and the organization.
  id bigint NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (org_id, id)
);
-- Reached through functions only: under row-level security no index serves an operator that is not leakproof.
CREATE INDEX finding_texts_by_word ON finding_texts USING gin (words);
ALTER TABLE finding_texts ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_texts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_texts USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_texts TO assay_app;

-- Null: not computed yet; 0: no texts. 8 bytes for each finding. The organization is part of the number, and findings of one text share
-- an index entry, so that the index needs some 7 bytes for each finding.
ALTER TABLE findings ADD COLUMN text_id bigint;
CREATE INDEX findings_by_text ON findings (text_id) WHERE text_id IS NOT NULL;

-- Estimates from the statistics how many rows of a table have a word; 0 for words that are not among the most common ones.
-- Only the functions below call it, which run as the owner.
CREATE FUNCTION rows_with_word(of_table text, word text) RETURNS float8
  LANGUAGE sql STABLE SET search_path = pg_catalog, public
  AS $$
    SELECT COALESCE((SELECT s.most_common_elem_freqs[array_position(s.most_common_elems::text::text[], word)]
        * (SELECT reltuples FROM pg_class WHERE oid = to_regclass('public.' || of_table))
      FROM pg_stats s WHERE s.schemaname = 'public' AND s.tablename = of_table AND s.attname = 'words'), 0)
  $$;
REVOKE ALL ON FUNCTION rows_with_word(text, text) FROM PUBLIC;

-- The ids of this organization's findings with the rarest of the words, in their own words or in their texts; null when each is in more
-- than `most` of them. Words that the statistics know to be common are not looked up, since an index of words reads all its entries.
-- Without sequential and plain index scans: a plan that was made for a rare word would read the whole organization for others.
CREATE FUNCTION findings_with_rarest_word(given text[], most integer) RETURNS text[]
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    DECLARE
      org CONSTANT text := current_setting('app.org_id', true);
      word text;
      query tsquery;
      texts bigint[];
      ids text[];
      rarest text[];
    BEGIN
      FOREACH word IN ARRAY given LOOP
        CONTINUE WHEN rows_with_word('findings', word) > 5 * most OR rows_with_word('finding_texts', word) > 5 * most;
        query := quote_literal(word)::tsquery;
        texts := ARRAY(SELECT t.id FROM finding_texts t WHERE t.org_id = org AND t.words @@ query LIMIT most + 1);
        CONTINUE WHEN cardinality(texts) > most;
        CONTINUE WHEN (SELECT count(*) FROM (SELECT FROM findings f WHERE f.text_id = ANY (texts) LIMIT most + 1) c) > most;
        ids := ARRAY((SELECT f.id FROM findings f WHERE f.org_id = org AND f.words @@ query LIMIT most + 1)
          UNION SELECT f.id FROM findings f WHERE f.org_id = org AND f.text_id = ANY (texts));
        IF cardinality(ids) <= LEAST(most, cardinality(rarest)) THEN rarest := ids; END IF;
        EXIT WHEN cardinality(rarest) = 0;
      END LOOP;
      RETURN rarest;
    END
  $$;
REVOKE ALL ON FUNCTION findings_with_rarest_word(text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION findings_with_rarest_word(text[], integer) TO assay_app;

-- The ids of this organization's findings with all the words, each in their own words or in their texts; null when there are more than
-- `most`, or when a word is in too many texts to name them.
CREATE FUNCTION findings_with_all_words(given text[], most integer) RETURNS text[]
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    DECLARE
      org CONSTANT text := current_setting('app.org_id', true);
      word text;
      query tsquery;
      texts bigint[];
      conditions text := '';
      ids text[];
    BEGIN
      IF cardinality(given) = 1 AND rows_with_word('findings', given[1]) > 20 * most THEN RETURN NULL; END IF;
      FOREACH word IN ARRAY given LOOP
        query := quote_literal(word)::tsquery;
        IF rows_with_word('finding_texts', word) > most THEN RETURN NULL; END IF;
        texts := ARRAY(SELECT t.id FROM finding_texts t WHERE t.org_id = org AND t.words @@ query LIMIT most + 1);
        IF cardinality(texts) > most THEN RETURN NULL; END IF;
        conditions := conditions || format(' AND (f.words @@ %L::tsquery OR f.text_id = ANY (%L::bigint[]))', query, texts);
      END LOOP;
      EXECUTE 'SELECT ARRAY(SELECT f.id FROM findings f WHERE f.org_id = $1' || conditions || ' LIMIT $2 + 1)' INTO ids USING org, most;
      RETURN CASE WHEN cardinality(ids) <= most THEN ids END;
    END
  $$;
REVOKE ALL ON FUNCTION findings_with_all_words(text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION findings_with_all_words(text[], integer) TO assay_app;

CREATE FUNCTION organizations_with_finding_texts() RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ SELECT o.id FROM organizations o WHERE EXISTS (SELECT FROM finding_texts t WHERE t.org_id = o.id) $$;
REVOKE ALL ON FUNCTION organizations_with_finding_texts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with_finding_texts() TO assay_app;
