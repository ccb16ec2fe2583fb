import type { Command } from 'commander';
import { addJsonOption, printResult } from './platform/command-output.ts';

/** Adds `start`, `serve` or `work`. */
export function registerServerCommand(program: Command, name: string, description: string): void {
  program
    .command(name)
    .description(description)
    .action(async () => {
      const [{ start }, { loadConfig }] = await Promise.all([import('./start.ts'), import('./config.ts')]);
      await start(loadConfig(), { api: name !== 'work', worker: name !== 'serve' });
    });
}

/** Adds `migrate`. */
export function registerMigrateCommand(program: Command): void {
  const migrate = addJsonOption(program.command('migrate').description('migrate the database schema to this release'));
  migrate.action(async () => {
    const { migrateDatabase } = await import('./command-context.ts');
    const applied = await migrateDatabase();
    const line = applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`;
    printResult(migrate, { applied }, [line]);
  });
}

/** Adds `distribute`. */
export function registerDistributeCommand(program: Command): void {
  const description = 'distribute the tables over the servers of Citus';
  const distribute = addJsonOption(
    program
      .command('distribute')
      .description(description)
      .option('--dry-run', 'print what would be run, and change nothing'),
  );
  distribute.action(async ({ dryRun = false }: { dryRun?: boolean }) => {
    const { distributeDatabase } = await import('./command-context.ts');
    const { hasCitus, statements } = await distributeDatabase({ dryRun });
    const lines = statements.length === 0 ? ['Every table is distributed.'] : statements.map((text) => `${text};`);
    if (!hasCitus) lines.push('-- This database has no Citus yet: docs/citus.md says how to install it.');
    printResult(distribute, { dry_run: dryRun, citus: hasCitus, statements }, lines);
  });
}
