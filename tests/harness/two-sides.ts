/**
 * Tables of people. All tables with row-level security are of organizations; every transaction may write the others.
 */
const ofPeople = [
  ...['account_follow_ups', 'account_idempotency_keys', 'accounts', 'failed_sign_ins', 'guess_limits'],
  ...[
    'organization_cells',
    'passkeys',
    'password_salts',
    'pending_two_factors',
    'sessions',
    'sign_in_links',
    'two_factors',
    'user_preferences',
    'users',
  ],
  'verifications',
];

/**
 * Makes a transaction of the service fail that writes tables of people and tables of organizations: these may be on
 * different servers one day, which no transaction spans. The owner may write both, as a restore does.
 */
export const twoSides = `
  CREATE FUNCTION stay_on_one_side() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF current_user <> 'assay_app' THEN RETURN NULL; END IF;
      IF current_setting('test.side', true) NOT IN ('', TG_ARGV[0]) THEN
        RAISE EXCEPTION 'This transaction has written tables of %, and now writes %: use one transaction for each.',
          current_setting('test.side'), TG_TABLE_NAME;
      END IF;
      PERFORM set_config('test.side', TG_ARGV[0], true);
      RETURN NULL;
    END $$;
  DO $$
    DECLARE
      found record;
    BEGIN
      FOR found IN
        SELECT c.oid::regclass AS name, CASE WHEN c.relrowsecurity THEN 'organizations' ELSE 'people' END AS side
        FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
          AND (c.relrowsecurity OR c.relname = ANY ('{${ofPeople}}'))
      LOOP
        EXECUTE format('CREATE TRIGGER one_side BEFORE INSERT OR UPDATE OR DELETE ON %s EXECUTE FUNCTION stay_on_one_side(%L)',
                       found.name, found.side);
      END LOOP;
    END $$`;
