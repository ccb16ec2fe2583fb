-- This organization's texts with a word.
CREATE FUNCTION texts_with_word(word text) RETURNS SETOF bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public ROWS 1000
  AS $$
    BEGIN
      RETURN QUERY SELECT t.id FROM finding_texts t
        WHERE t.org_id = current_setting('app.org_id', true) AND t.words @@ quote_literal(word)::tsquery;
    END
  $$;
REVOKE ALL ON FUNCTION texts_with_word(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION texts_with_word(text) TO assay_app;
