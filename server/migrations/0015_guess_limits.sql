-- How often somebody guessed at a password: by account and by client address, over all nodes.
-- It takes the place of sign_in_limits, which stays for the nodes of the release before while they are replaced.
CREATE TABLE guess_limits (
  -- What is limited: an address, or the digest of an account's e-mail address.
  key text COLLATE "C" PRIMARY KEY,
  -- When all guesses are free again; each guess moves it on by the time that one takes to come back.
  full_at timestamptz NOT NULL
);
CREATE INDEX guess_limits_full ON guess_limits (full_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON guess_limits TO assay_app;
