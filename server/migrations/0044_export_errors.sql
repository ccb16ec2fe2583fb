-- What callers can do about an export that failed; null where only the log says why.
ALTER TABLE report_exports ADD COLUMN error text;

-- Nothing calls it: scores are looked up where findings are merged.
DROP FUNCTION exploitation_of(text[]);
