-- Failed sign-ins of existing accounts, by hour and client address, for their people and the audit log. An account has at
-- most a few rows an hour: attempts from further addresses are added together under the address ''.
CREATE TABLE failed_sign_ins (
  user_id text COLLATE "C" NOT NULL,
  hour timestamptz NOT NULL,
  address text NOT NULL,
  methods text[] NOT NULL,
  attempts bigint NOT NULL,
  -- The attempts of which the audit log has an event.
  recorded bigint NOT NULL DEFAULT 0,
  first_at timestamptz NOT NULL DEFAULT now(),
  last_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, hour, address)
);
CREATE INDEX failed_sign_ins_unrecorded ON failed_sign_ins (hour, user_id, address) WHERE recorded < attempts;
GRANT SELECT, INSERT, UPDATE, DELETE ON failed_sign_ins TO assay_app;
