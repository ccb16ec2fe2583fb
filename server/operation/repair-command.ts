import type { Command } from 'commander';
import { addJsonOption, printResult, type WithDatabase } from '../platform/command-output.ts';
import { listOrganizations, type RepairedOrganization, repairOrganization } from './repair-clock.ts';

const linesOf = (repaired: RepairedOrganization[]): string[] =>
  repaired.length === 0
    ? ['No time is more than a minute in the future.']
    : repaired.map(
        ({ organization, findings, records }) =>
          `${organization}: reset the times of ${findings} findings and ${records} other records.`,
      );

/** Adds `repair clock`. */
export function registerRepairCommand(program: Command, withDatabase: WithDatabase): void {
  const repair = program.command('repair').description('repair times that a wrong clock left behind');
  const clock = repair
    .command('clock')
    .description(
      'reset times that are in the future, because the clock was ahead and has been set back; Assay may run meanwhile, and the command may be interrupted and run again',
    );
  addJsonOption(clock).action(() =>
    withDatabase(async (database) => {
      const repaired: RepairedOrganization[] = [];
      for (const id of await listOrganizations(database)) {
        const organization = await repairOrganization(database, id);
        if (organization.findings + organization.records > 0) repaired.push(organization);
      }
      printResult(clock, { organizations: repaired }, linesOf(repaired));
    }),
  );
}
