-- Description, remediation and references are stored once for each text instead of once for each finding: a third of the size
-- of a finding. As members of a JSON object without its braces, which responses copy. Null: stored by an older version, which
-- kept the words alone, and the texts among the facts of each finding; a job moves them.
ALTER TABLE finding_texts ADD COLUMN members text;
