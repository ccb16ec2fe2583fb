import { type Command, Option } from 'commander';
import { addJsonOption, parsePositiveInteger, printResult, type WithDatabase } from '../platform/command-output.ts';
import { ApiError } from '../platform/errors.ts';
import type { Database } from '../platform/postgres/database.ts';
import { operator, recordAudit } from './audit.ts';
import { announceAuthenticationChange } from './authentication-changes.ts';
import { type ChangedSignInPolicy, changeSignInPolicy } from './change-sign-in-policy.ts';
import { findOrganizationPolicy, signInPolicyOf } from './policy-queries.ts';
import { findOrganization, type OrganizationRow, updateOrganizationLimits } from './queries.ts';
import { defaultSignInPolicy, type SignInPolicy } from './sign-in-policy.ts';

export type Limits = { plan: 'default' | 'enterprise'; rate: number | null; burst: number | null };

/**
 * Sets an organization's plan and limits, effective from the next request. Only the enterprise plan can have its own
 * rate; without one, the installation's applies. Throws `not_found`.
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

/** Sets the default sign-in policy, which gives every member access to the organization. Throws `not_found`. */
export async function resetSignInPolicy(database: Database, orgId: string): Promise<ChangedSignInPolicy> {
  return database.transaction(orgId, async (tx) => {
    const changed = await changeSignInPolicy(tx, orgId, defaultSignInPolicy, null);
    const { name } = (await tx.query<OrganizationRow>(findOrganization(orgId))).rows[0]!;
    await recordAudit(tx, orgId, {
      actor: operator,
      action: 'policy.updated',
      target: { id: orgId, name },
      before: { sign_in: changed.before },
      after: { sign_in: changed.after },
    });
    return changed;
  });
}

async function readSignInPolicy(database: Database, orgId: string): Promise<SignInPolicy> {
  const row = await database.transaction(orgId, (tx) => findOrganizationPolicy(tx, orgId));
  if (!row) throw new ApiError('not_found', `There is no organization ${orgId}.`);
  return signInPolicyOf(row.sign_in);
}

const describePolicy = (policy: SignInPolicy): string[] => [
  `Second factor required   ${policy.second_factor ? 'yes' : 'no'}`,
  `Single sign-on required  ${policy.single_sign_on ? 'yes' : 'no'}`,
  `Sign-in with a password  ${policy.password ? 'accepted' : 'refused'}`,
  `API tokens end after     ${policy.token_longest_days === null ? '(no limit)' : `${policy.token_longest_days} days`}`,
  `Allowed addresses        ${policy.allowed_addresses.join(', ') || '(all)'}`,
];

function registerSignInPolicy(organization: Command, withDatabase: WithDatabase): void {
  const command = organization
    .command('sign-in-policy')
    .description('show the sign-in policy of an organization, or reset one that locks its members out')
    .requiredOption('--organization <id>', 'the organization')
    .option('--reset', 'accept every sign-in from every address again');
  addJsonOption(command).action((options: { organization: string; reset?: boolean }) =>
    withDatabase(async (database) => {
      if (options.reset) await resetSignInPolicy(database, options.organization);
      const policy = await readSignInPolicy(database, options.organization);
      printResult(command, { organization: options.organization, sign_in: policy }, describePolicy(policy));
    }),
  );
}

/** Adds `organization` with `limits` and `sign-in-policy` to the program, and returns it for other subcommands. */
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
  registerSignInPolicy(organization, withDatabase);
  return organization;
}
