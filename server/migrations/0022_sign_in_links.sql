-- Links in mails that do something once: for a new password, and to confirm a new e-mail address.

CREATE TABLE sign_in_links (
  -- SHA-256 of the link's token.
  token_hash bytea PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('password', 'email')),
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The address to which the mail goes: with `email`, the new one.
  email text NOT NULL CHECK (email = lower(email)),
  expires_at timestamptz NOT NULL,
  -- A newer link replaces the one before.
  UNIQUE (user_id, kind)
);
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_links TO assay_app;

-- Two people never have one passkey.
DROP INDEX passkeys_credential;
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
ALTER TABLE passkeys ADD COLUMN last_used_at timestamptz;
