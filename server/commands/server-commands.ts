import type { Command } from 'commander';
import { addJsonOption, printResult } from '../platform/command-output.ts';

/** Adds `start`, `serve` or `work`. */
export function registerServerCommand(program: Command, name: string, description: string): void {
  program
    .command(name)
    .description(description)
    .action(async () => {
      const [{ start }, { loadConfig }] = await Promise.all([
        import('../processes/start.ts'),
        import('../config/config.ts'),
      ]);
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
