-- Authors may edit and delete their comments: the mark remains, the text of a deleted one does not.
ALTER TABLE finding_comments ADD COLUMN edited_at timestamptz, ADD COLUMN deleted_at timestamptz;
ALTER TABLE finding_comments DROP CONSTRAINT finding_comments_comment_check;
ALTER TABLE finding_comments ADD CONSTRAINT finding_comments_comment_check
  CHECK (length(comment) <= 10000 AND (length(comment) >= 1 OR deleted_at IS NOT NULL));
