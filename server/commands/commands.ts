import type { Command } from 'commander';

/** A command of the program, with the line of `assay --help`. `register` loads and adds it with all its options. */
export type CommandEntry = {
  name: string;
  /** Its options and arguments, as shown in the help. */
  usage?: string;
  description: string;
  register(program: Command): Promise<void>;
};

const settings = async () => (await import('../config/config.ts')).loadConfig();
async function toolUse() {
  const { dataDirectory, folders } = await settings();
  return { dataDirectory, descriptions: folders.scanners, startsPrograms: true };
}

const connections = () => import('./command-context.ts');

const server = (name: string, description: string): CommandEntry => ({
  name,
  description,
  register: async (program) => (await import('./server-commands.ts')).registerServerCommand(program, name, description),
});

/**
 * Every command, in the order of the help. Only the command to be run is loaded: with all of them, `--help` took a
 * second of processor time.
 */
export const commands: CommandEntry[] = [
  server('start', 'run everything: database, API and worker'),
  server('serve', 'run the API alone'),
  server('work', 'run a worker alone'),
  {
    name: 'migrate',
    usage: '[options]',
    description: 'migrate the database schema to this release',
    register: async (program) => (await import('./server-commands.ts')).registerMigrateCommand(program),
  },
  {
    name: 'organization',
    description: 'create organizations and set their limits',
    async register(program) {
      const { registerOrganizationCommand } = await import('../organization/organization-command.ts');
      const { registerCreateOrganizationCommand } = await import('../identity/commands/create-organization-command.ts');
      const { registerMoveCommand } = await import('../operation/move-command.ts');
      const { withDatabase, configuredCells } = await connections();
      const organization = registerOrganizationCommand(program, withDatabase);
      registerCreateOrganizationCommand(organization, withDatabase);
      registerMoveCommand(organization, configuredCells);
    },
  },
  {
    name: 'cell',
    description: 'list and check the PostgreSQL servers that hold the organizations',
    async register(program) {
      const { registerCellCommand } = await import('../operation/cell-command.ts');
      registerCellCommand(program, (await connections()).checkConfiguredCells);
    },
  },
  {
    name: 'token',
    description: 'create, list and revoke API tokens',
    async register(program) {
      const { registerTokenCommand } = await import('../identity/commands/token-command.ts');
      registerTokenCommand(program, (await connections()).withDatabase);
    },
  },
  {
    name: 'user',
    description: 'create people, reset their passwords, and end or block their access',
    async register(program) {
      const { registerUserCommand } = await import('../identity/commands/user-command.ts');
      registerUserCommand(program, (await connections()).withDatabase);
    },
  },
  {
    name: 'secrets',
    description: 'encrypt everything again with a new secret key',
    async register(program) {
      const { registerSecretsCommand } = await import('../data-sources/secrets/secrets-command.ts');
      const { secretKeys, withDatabase } = await connections();
      registerSecretsCommand(program, withDatabase, secretKeys);
    },
  },
  {
    name: 'audit',
    description: 'check the audit log',
    async register(program) {
      const { registerAuditCommand } = await import('../organization/audit/audit-command.ts');
      const { auditSettings, withDatabase } = await connections();
      registerAuditCommand(program, withDatabase, auditSettings);
    },
  },
  {
    name: 'report',
    description: 'check documents',
    async register(program) {
      const { registerReportCommand } = await import('../reports/verification/report-command.ts');
      registerReportCommand(program, (await connections()).withDatabase);
    },
  },
  {
    name: 'import',
    usage: '[options] <file>',
    description: "import another scanner's result file into a data source",
    async register(program) {
      const { registerImportCommand } = await import('../detection/imports/import-command.ts');
      registerImportCommand(program, (await connections()).withImportServices);
    },
  },
  {
    name: 'advisories',
    description: 'load and list the known vulnerabilities that dependencies are matched with',
    async register(program) {
      const { registerAdvisoriesCommand } = await import('../detection/advisories/command.ts');
      const { advisoriesSettings, withDatabase } = await connections();
      registerAdvisoriesCommand(program, withDatabase, advisoriesSettings);
    },
  },
  {
    name: 'backup',
    usage: '[options] <directory>',
    description: 'back up the installation into a new folder, even while it runs',
    async register(program) {
      const { registerBackupCommand } = await import('../platform/backup/commands.ts');
      registerBackupCommand(program, (await connections()).backupContext);
    },
  },
  {
    name: 'restore',
    usage: '[options] <directory>',
    description: 'restore a backup into an empty data directory or database',
    async register(program) {
      const { registerRestoreCommand } = await import('../platform/backup/commands.ts');
      registerRestoreCommand(program, (await connections()).backupContext);
    },
  },
  {
    name: 'doctor',
    usage: '[options]',
    description: 'check the installation, running or not, and say what to fix; exits with 1 when a check failed',
    async register(program) {
      const { registerDoctorCommand } = await import('../operation/doctor-command.ts');
      registerDoctorCommand(program, (await connections()).checkInstallation);
    },
  },
  {
    name: 'repair',
    description: 'repair times that a wrong clock left behind',
    async register(program) {
      const { registerRepairCommand } = await import('../operation/repair-command.ts');
      registerRepairCommand(program, (await connections()).withDatabase);
    },
  },
  {
    name: 'scan',
    usage: '[options] [path-or-url]',
    description:
      'scan a directory, a file, a git work tree or a repository, or a website with --source web, and print the findings; needs no server',
    async register(program) {
      const { createScanCommand } = await import('@assay/scanner/path-scan/scan-command.ts');
      const { scanAdditions } = await import('../detection/scan-additions.ts');
      program.addCommand(createScanCommand(scanAdditions(toolUse)));
      const { loadSandbox } = await import('../config/config.ts');
      const { setSandboxSettings } = await import('@assay/scanner/platform/sandbox/sandbox.ts');
      const { mode, readable } = loadSandbox();
      setSandboxSettings({ mode, hides: [], reads: readable });
    },
  },
  {
    name: 'tools',
    description: 'install third-party scanners, and list what is installed',
    async register(program) {
      const { registerToolsCommand } = await import('../detection/external/installation/tools-command.ts');
      const { personalEnvironment } = await import('../config/config.ts');
      registerToolsCommand(program, async () => ({ ...(await toolUse()), environment: personalEnvironment() }));
    },
  },
];
