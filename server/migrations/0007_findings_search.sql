-- Words that `q` searches for. Those of title, path, identifiers, evidence and package are in the finding's own
-- words. The rule, description, remediation and references repeat among findings, so they and their words are stored
-- once (findings/shared-texts.ts): two fifths of the size of a finding.

CREATE TABLE finding_texts (
  org_id text COLLATE "C" NOT NULL,
  -- A hash of the texts and the organization.
  id bigint NOT NULL,
  words tsvector NOT NULL,
  -- In the API's format.
  rule json NOT NULL,
  -- The other texts as members of a JSON object without its braces, which responses copy.
  members text NOT NULL,
  PRIMARY KEY (org_id, id)
);
-- Used only through functions: under row-level security no index is used for an operator that is not leakproof.
CREATE INDEX finding_texts_by_word ON finding_texts USING gin (words);
ALTER TABLE finding_texts ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_texts USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_texts TO assay_app;

CREATE FUNCTION organizations_with_finding_texts() RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ SELECT o.id FROM organizations o
    WHERE EXISTS (SELECT FROM finding_texts t WHERE t.org_id = o.id) AND o.id NOT IN (SELECT organization_id FROM absent_organizations) $$;
REVOKE ALL ON FUNCTION organizations_with_finding_texts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with_finding_texts() TO assay_app;

-- A term of a search: a word, or a tsquery in parentheses, which words never contain.
CREATE FUNCTION search_query(term text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog
  AS $$ SELECT (CASE WHEN left(term, 1) = '(' THEN term ELSE quote_literal(term) END)::tsquery $$;

-- This organization's texts with a word.
CREATE FUNCTION texts_with_word(word text) RETURNS SETOF bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public ROWS 1000
  AS $$
    BEGIN
      RETURN QUERY SELECT t.id FROM finding_texts t
        WHERE t.org_id = current_setting('app.org_id', true) AND t.words @@ search_query(word);
    END
  $$;
REVOKE ALL ON FUNCTION texts_with_word(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION texts_with_word(text) TO assay_app;

-- The functions below use only the index of words. List statements are planned without knowing their values, and then
-- PostgreSQL combines that index with one of all findings of the organization: 12 ms instead of 0.1 among 50,000
-- findings, and growing with them. IS TRUE keeps a condition from using an index. Sequential and plain index scans
-- are off: a plan made for a rare word would read the whole organization for others.

-- Estimates from the statistics how many rows of a table have a word; 0 for words that are not among the most common
-- ones. Only called by the functions below, which run as the owner.
CREATE FUNCTION rows_with_word(of_table text, word text) RETURNS float8
  LANGUAGE sql STABLE SET search_path = pg_catalog, public
  AS $$
    SELECT COALESCE((SELECT s.most_common_elem_freqs[array_position(s.most_common_elems::text::text[], word)]
        * (SELECT reltuples FROM pg_class WHERE oid = to_regclass('public.' || of_table))
      FROM pg_stats s WHERE s.schemaname = 'public' AND s.tablename = of_table AND s.attname = 'words'), 0)
  $$;
REVOKE ALL ON FUNCTION rows_with_word(text, text) FROM PUBLIC;

-- The ids of this organization's findings with the rarest of the words, in their own words or in their texts; null
-- when each word is in more than `most` of them. A word with more than twice as many rows according to the statistics
-- is not looked up: reading its index entries took 12 ms for one in 9,600 of 100,000 findings, and a list that skips
-- findings without such a word finds it soon.
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
        CONTINUE WHEN rows_with_word('findings', word) > 2 * most OR rows_with_word('finding_texts', word) > 2 * most;
        query := search_query(word);
        texts := ARRAY(SELECT t.id FROM finding_texts t WHERE (t.org_id = org) IS TRUE AND t.words @@ query LIMIT most + 1);
        CONTINUE WHEN cardinality(texts) > most;
        CONTINUE WHEN (SELECT count(*) FROM (SELECT FROM findings f WHERE f.text_id = ANY (texts) LIMIT most + 1) c) > most;
        ids := ARRAY((SELECT f.id FROM findings f WHERE (f.org_id = org) IS TRUE AND f.words @@ query LIMIT most + 1)
          UNION SELECT f.id FROM findings f WHERE (f.org_id = org) IS TRUE AND f.text_id = ANY (texts));
        IF cardinality(ids) <= LEAST(most, cardinality(rarest)) THEN rarest := ids; END IF;
        EXIT WHEN cardinality(rarest) = 0;
      END LOOP;
      RETURN rarest;
    END
  $$;
REVOKE ALL ON FUNCTION findings_with_rarest_word(text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION findings_with_rarest_word(text[], integer) TO assay_app;

-- The comma-separated numbers of this organization's findings with all the words; null when there are more than
-- `most`, or when the words are too common to tell. Only table rows that the indexes list for all the words are read.
CREATE FUNCTION numbers_with_all_words(given text[], most integer) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  SET enable_seqscan = off SET enable_indexscan = off SET work_mem = '32MB'
  AS $$
    DECLARE
      org CONSTANT text := current_setting('app.org_id', true);
      word text;
      query tsquery;
      texts bigint[];
      conditions text := '(f.org_id = $1) IS TRUE';
      found text;
      total integer;
    BEGIN
      IF cardinality(given) = 1 AND rows_with_word('findings', given[1]) > 2 * most THEN RETURN NULL; END IF;
      FOREACH word IN ARRAY given LOOP
        query := search_query(word);
        IF rows_with_word('finding_texts', word) > most THEN RETURN NULL; END IF;
        texts := ARRAY(SELECT t.id FROM finding_texts t WHERE (t.org_id = org) IS TRUE AND t.words @@ query LIMIT most + 1);
        IF cardinality(texts) > most THEN RETURN NULL; END IF;
        conditions := conditions || CASE WHEN texts = '{}' THEN format(' AND f.words @@ %L::tsquery', query)
          ELSE format(' AND (f.words @@ %L::tsquery OR f.text_id = ANY (%L::bigint[]))', query, texts) END;
      END LOOP;
      EXECUTE 'SELECT string_agg(number::text, '',''), count(*) FROM (SELECT f.number FROM findings f WHERE ' || conditions || ' LIMIT $2 + 1) f'
        INTO found, total USING org, most;
      RETURN CASE WHEN total <= most THEN COALESCE(found, '') END;
    END
  $$;
REVOKE ALL ON FUNCTION numbers_with_all_words(text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION numbers_with_all_words(text[], integer) TO assay_app;
