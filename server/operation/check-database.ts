import { checkRole, describeRole, type RoleFacts } from '../platform/postgres/application-role.ts';
import { readMigrations } from '../platform/postgres/migrate.ts';
import { type CheckInput, failed, type Outcome, ok } from './check.ts';

/** Checks that the schema is that of this release. */
export async function checkSchema({ database }: CheckInput): Promise<Outcome> {
  const known = await readMigrations();
  const applied = await database.single<{ version: number; name: string }>(null, {
    name: 'doctor_migrations',
    text: 'SELECT version, name FROM schema_migrations ORDER BY version',
  });
  const newest = known.at(-1)!;
  const missing = known.filter(({ version }) => !applied.some((migration) => migration.version === version));
  if (missing.length > 0)
    return failed(
      `The schema lacks ${missing.length} of ${known.length} migrations, the first is ${missing[0]!.name}.`,
      'Run "assay migrate", or restart Assay.',
    );
  if (applied.at(-1)!.version > newest.version)
    return failed(
      `The schema is that of a newer release (${applied.at(-1)!.name}).`,
      'Install that release: an older one refuses to start on it.',
    );
  return ok(`The schema is that of this release (${newest.name}).`);
}

/** Checks that row-level security separates organizations: the role is bound by it, and every table has it. */
export async function checkRoles({ database }: CheckInput): Promise<Outcome> {
  const facts = await database.single<RoleFacts>(null, { name: 'doctor_role', text: describeRole });
  try {
    checkRole(facts[0]!);
  } catch (error) {
    return failed((error as Error).message, 'Assay uses no connection until this is done.');
  }
  const open = await database.single<{ name: string }>(null, {
    name: 'doctor_open_tables',
    text: `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id'
           WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
             AND NOT a.attisdropped AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY 1`,
  });
  if (open.length > 0) {
    const names = open.map(({ name }) => name);
    return failed(
      `Row-level security is off or not forced for ${names.join(', ')}.`,
      `As the owner: ALTER TABLE ${names[0]} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY, and so for each.`,
    );
  }
  return ok(
    `The service runs as ${facts[0]!.name}, which row-level security binds, and every table of organizations has it.`,
  );
}
