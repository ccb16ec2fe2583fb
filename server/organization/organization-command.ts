import { type Command, Option } from 'commander';
import { addJsonOption, parsePositiveInteger, printResult, type WithDatabase } from '../platform/command-output.ts';
import { ApiError } from '../platform/errors.ts';
import type { Database } from '../platform/postgres/database.ts';
import { operator, recordAudit } from './audit.ts';
import { announceAuthenticationChange } from './authentication-changes.ts';
import { findOrganization, type OrganizationRow, updateOrganizationLimits } from './queries.ts';

export type Limits = { plan: 'default' | 'enterprise'; rate: number | null; burst: number | null };

/**
 * Sets an organization's plan and limits, from the next request on. Only the enterprise plan has a rate of its own;
 * without one, the installation's applies. Throws `not_found`.
 */
export async function setOrganizationLimits(database: Database, orgId: string, limits: Limits): Promise<void> {
  await database.transaction(orgId, async (tx) => {
    const { rows } = await tx.query<OrganizationRow>(findOrganization(orgId));
    const before = rows[0];
    if (!before || !(await updateOrganizationLimits(tx, orgId, limits))) {
      throw new ApiError('not_found', `There is no organization ${orgId}.`);
    }
    await announceAuthenticationChange(tx);
    await recordAudit(tx, orgId, {
      actor: operator,
      action: 'organization.limits_changed',
      target: { id: orgId, name: before.name },
      before: { plan: before.plan, rate: before.rate_limit, burst: before.burst_limit },
      after: limits,
    });
  });
}

type LimitsOptions = { organization: string; plan: Limits['plan']; rate?: number; burst?: number };

function readLimits(command: Command, options: LimitsOptions): Limits {
  const { plan } = options;
  const rate = options.rate ?? null;
  const burst = options.burst ?? null;
  if (plan === 'default' && (rate !== null || burst !== null)) {
    command.error('error: --rate and --burst are for --plan enterprise');
  }
  if ((rate === null) !== (burst === null)) command.error('error: give --rate and --burst together');
  if (rate !== null && burst! <= rate) command.error('error: --burst must be above --rate');
  return { plan, rate, burst };
}

/** Adds `organization` with `limits` to the program, and returns it for other subcommands. */
export function registerOrganizationCommand(program: Command, withDatabase: WithDatabase): Command {
  const organization = program.command('organization').description('create organizations and set their limits');
  const limits = organization
    .command('limits')
    .description('set the plan and the rate limit of an organization')
    .requiredOption('--organization <id>', 'the organization')
    .addOption(new Option('--plan <plan>', 'the plan').choices(['default', 'enterprise']).makeOptionMandatory())
    .option('--rate <requests>', 'requests per minute of each token', parsePositiveInteger)
    .option('--burst <requests>', 'requests per minute for a short time; above the rate', parsePositiveInteger);
  addJsonOption(limits).action(async (options: LimitsOptions) => {
    const wanted = readLimits(limits, options);
    await withDatabase((database) => setOrganizationLimits(database, options.organization, wanted));
    const figures =
      wanted.rate === null ? "the installation's limits" : `${wanted.rate} requests a minute, ${wanted.burst} at most`;
    const result = { organization: options.organization, plan: wanted.plan, rate: wanted.rate, burst: wanted.burst };
    printResult(limits, result, [`${options.organization}: plan ${wanted.plan}, ${figures}.`]);
  });
  return organization;
}
