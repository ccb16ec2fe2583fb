-- People see where they are signed in, and end single sessions.

-- To the minute.
ALTER TABLE sessions ADD COLUMN last_active_at timestamptz;

-- The ids of sessions are shown now, as `ses_…`. Those from before end: their people sign in again.
DELETE FROM sessions WHERE id NOT LIKE 'ses\_%';

-- A person's sessions in the order of the list.
CREATE INDEX sessions_of_user ON sessions (user_id, id);
DROP INDEX sessions_user;

-- Browsers that need no code of a second factor.
CREATE INDEX verifications_trusted ON verifications (value) WHERE identifier LIKE 'trust-device-%';
