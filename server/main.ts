import { Command, CommanderError } from 'commander';
import { backupContext, migrateDatabase, withDatabase, withImportServices } from './command-context.ts';
import { ConfigError, loadConfig } from './config.ts';
import { registerAdvisoriesCommand } from './detection/advisories/command.ts';
import { registerImportCommand } from './detection/imports/import-command.ts';
import { registerScanCommand } from './detection/path-scan/scan-command.ts';
import { registerCreateOrganizationCommand } from './identity/create-organization-command.ts';
import { registerTokenCommand } from './identity/token-command.ts';
import { registerUserCommand } from './identity/user-command.ts';
import { registerAuditCommand } from './organization/audit/audit-command.ts';
import { registerOrganizationCommand } from './organization/organization-command.ts';
import manifest from './package.json' with { type: 'json' };
import { registerBackupCommands } from './platform/backup/commands.ts';
import { addJsonOption, printResult } from './platform/command-output.ts';
import { createNetworkPolicy } from './platform/egress/network-policy.ts';

const exitFailed = 1;
const exitUsage = 2;

/** Imported lazily, so that commands that need no server do not load it. */
const run = (parts: { api: boolean; worker: boolean }) => async () => {
  const { start } = await import('./start.ts');
  await start(loadConfig(), parts);
};

function registerServerCommands(program: Command): void {
  program
    .command('start')
    .description('run everything: database, API and worker')
    .action(run({ api: true, worker: true }));
  program
    .command('serve')
    .description('run the API alone')
    .action(run({ api: true, worker: false }));
  program
    .command('work')
    .description('run a worker alone')
    .action(run({ api: false, worker: true }));
  const migrate = addJsonOption(program.command('migrate').description('migrate the database schema to this release'));
  migrate.action(async () => {
    const applied = await migrateDatabase();
    const line = applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`;
    printResult(migrate, { applied }, [line]);
  });
}

const advisoriesSettings = () => {
  const { feeds, allowedTargets } = loadConfig();
  return { feeds, networkPolicy: createNetworkPolicy({ allowed: allowedTargets }) };
};

function createProgram(): Command {
  const program = new Command('assay')
    .description('a self-hosted security findings platform')
    .version(manifest.version);
  program.exitOverride().showHelpAfterError('(add --help for what it takes)');
  registerServerCommands(program);
  registerCreateOrganizationCommand(registerOrganizationCommand(program, withDatabase), withDatabase);
  registerTokenCommand(program, withDatabase);
  registerUserCommand(program, withDatabase);
  registerAuditCommand(program, withDatabase);
  registerImportCommand(program, withImportServices);
  registerAdvisoriesCommand(program, withDatabase, advisoriesSettings);
  registerBackupCommands(program, backupContext);
  registerScanCommand(program, () => loadConfig().tools);
  const inherit = (command: Command) => {
    command.exitOverride();
    command.commands.forEach(inherit);
  };
  inherit(program);
  return program;
}

/** Exit codes: 0 done, 1 failed, 2 wrong usage or configuration; `scan` has 3 of its own. */
async function main(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : exitUsage;
      return;
    }
    process.stderr.write(`assay: ${(error as Error).message}\n`);
    process.exitCode = error instanceof ConfigError ? exitUsage : exitFailed;
  }
}

await main();
