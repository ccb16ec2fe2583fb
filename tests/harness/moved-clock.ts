import type { TestDatabase } from './database.ts';

/**
 * Gives a database, whose pool must not have a connection yet, a clock that tests can move: functions that override
 * PostgreSQL's in every statement. Returns the function that sets the clock, which then runs on from there.
 */
export async function moveClock({ asAdmin, adminUrl }: TestDatabase): Promise<(at: Date) => Promise<void>> {
  const name = new URL(adminUrl).pathname.slice(1);
  const moved = (clock: string, volatility: string) =>
    `CREATE FUNCTION moved.${clock}() RETURNS timestamptz LANGUAGE sql ${volatility}
       AS 'SELECT pg_catalog.${clock}() + (SELECT ahead FROM moved.clock)'`;
  await asAdmin(`CREATE SCHEMA moved; GRANT USAGE ON SCHEMA moved TO assay_app;
    CREATE TABLE moved.clock (ahead interval NOT NULL); INSERT INTO moved.clock VALUES ('0'); GRANT SELECT ON moved.clock TO assay_app;
    ${moved('clock_timestamp', 'VOLATILE')}; ${moved('statement_timestamp', 'STABLE')}; ${moved('now', 'STABLE')};
    ALTER DATABASE ${name} SET search_path = moved, pg_catalog, public`);
  return (at) => asAdmin(`UPDATE moved.clock SET ahead = '${at.toISOString()}' - pg_catalog.clock_timestamp()`);
}
