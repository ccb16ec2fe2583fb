-- A word that more than twice as many rows have as are rare enough is not looked up: reading its index entries took 12 ms for one in 9,600
-- of 100,000 findings, and the walk that follows finds it soon.
CREATE OR REPLACE FUNCTION findings_with_rarest_word(given text[], most integer) RETURNS text[]
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
        query := quote_literal(word)::tsquery;
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
