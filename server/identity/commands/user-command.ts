import { type Command, Option } from 'commander';
import { operator, recordAudit } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { findMemberByEmail, insertMember, lockMembership } from '../../organization/queries.ts';
import { type Role, roles } from '../../organization/roles.ts';
import { addJsonOption, printResult, type WithDatabase } from '../../platform/command-output.ts';
import { ApiError } from '../../platform/errors.ts';
import { requireName } from '../../platform/name.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { changeAccount, recordAccountAudit } from '../account-changes/change-account.ts';
import { noticeAccount } from '../account-notices.ts';
import { endedAccess, endFurtherAccess, type FurtherAccess } from '../accounts/end-further-access.ts';
import { hashPasswordOf } from '../accounts/hash-password-of.ts';
import { retireFormerAccount } from '../accounts/retire-account.ts';
import { withPeople } from '../accounts/with-people.ts';
import { createUser, defaultName, requireEmail } from '../create-user.ts';
import { findAccount, requireOrganization } from '../find-account.ts';
import { generatePassword } from '../password.ts';
import { beginInitialPassword, replacePassword } from '../password-queries.ts';
import { acceptInvitation } from '../sign-in/accept-invitation.ts';
import {
  addFurtherAccess,
  describeEnded,
  type FurtherAccessOptions,
  readFurtherAccess,
  registerUserAccess,
} from '../user-access/user-access-command.ts';

type CreateOptions = { email: string; name?: string; role: Role; organization?: string };
const initialPasswordNote =
  'It is shown this once, and works for 24 hours: at the first sign-in the person chooses another one.';

type AcceptOptions = { token: string; name?: string };

/** Creates a person with a generated password as a member of an organization. Throws `already_exists`, `not_found`. */
async function createMemberUser(database: Database, options: CreateOptions) {
  const email = requireEmail(options.email);
  const orgId = await requireOrganization(database, options.organization);
  const password = generatePassword();
  const passwordHash = await hashPasswordOf(database, email, password);
  const user = await withPeople(database, orgId, async (tx, people) => {
    if (!(await lockMembership(tx, orgId))) throw new ApiError('not_found', `There is no organization ${orgId}.`);
    if (await findMemberByEmail(tx, orgId, email)) {
      throw new ApiError('already_exists', `${email} is already a member of ${orgId}.`);
    }
    const name = options.name === undefined ? defaultName(email) : requireName(options.name);
    const created = await people(async (home) => {
      await retireFormerAccount(tx, home, orgId, email);
      const made = await createUser(home, orgId, { email, name, passwordHash });
      await beginInitialPassword(home, made.id);
      return made;
    });
    await insertMember(tx, orgId, created.id, options.role);
    await recordAudit(tx, orgId, {
      actor: operator,
      action: 'member.added',
      target: { id: created.id, name: created.name },
      after: { email, role: options.role },
    });
    return created;
  });
  return { ...user, role: options.role, organization: orgId, password };
}

/**
 * Sets a generated password for a person, ends their sessions, and ends further access as `wanted`. Throws
 * `not_found`.
 */
export async function resetPassword(database: Database, emailText: string, wanted: FurtherAccess = {}) {
  const user = await findAccount(database, emailText);
  const password = generatePassword();
  const passwordHash = await hashPasswordOf(database, user.email, password);
  const ended = await changeAccount({ database }, user.id, async (tx, account) => {
    await replacePassword(tx, user.id, passwordHash);
    await beginInitialPassword(tx, user.id);
    const target = { id: user.id, name: user.name };
    await recordAccountAudit(tx, account, { actor: operator, action: 'account.password_reset', target });
    await noticeAccount(tx, 'password_changed', { userId: user.id, address: null });
    await announceAuthenticationChange(tx);
    const removed = await endFurtherAccess(tx, account, wanted, { actor: operator, because: 'password reset' });
    return { account, removed };
  });
  return { id: user.id, email: user.email, password, ...endedAccess(ended) };
}

function registerCreate(user: Command, withDatabase: WithDatabase): void {
  const command = user
    .command('create')
    .description('create a member of an organization with a generated password')
    .requiredOption('--email <address>', 'the email address, with which the person signs in')
    .option('--name <name>', 'the name; by default the part of the address before the @')
    .addOption(new Option('--role <role>', 'the role').choices(roles).default('analyst'))
    .option('--organization <id>', 'the organization; needed when there are several');
  addJsonOption(command).action((options: CreateOptions) =>
    withDatabase(async (database) => {
      const created = await createMemberUser(database, options);
      printResult(command, created, [
        `${created.id}  ${created.email}  ${created.role} of ${created.organization}`,
        `Password: ${created.password}`,
        initialPasswordNote,
      ]);
    }),
  );
}

function registerAcceptInvitation(user: Command, withDatabase: WithDatabase): void {
  const command = user
    .command('accept-invitation')
    .description('accept an invitation on behalf of its recipient, with a new account and a generated password')
    .requiredOption('--token <token>', 'the part of the link in the mail after token=')
    .option('--name <name>', 'the name of the person');
  addJsonOption(command).action((options: AcceptOptions) =>
    withDatabase(async (database) => {
      const password = generatePassword();
      const accepted = await acceptInvitation(database, options.token, {
        name: options.name === undefined ? undefined : requireName(options.name),
        password,
      });
      await database.transaction(null, (tx) => beginInitialPassword(tx, accepted.user.id));
      const { user: person, role, organizationId: organization } = accepted;
      printResult(command, { ...person, role, organization, password }, [
        `${person.id}  ${person.email}  ${role} of ${organization}`,
        `Password: ${password}`,
        initialPasswordNote,
      ]);
    }),
  );
}

/** Adds `user create`, `user reset-password`, `user accept-invitation` and the commands of `registerUserAccess`. */
export function registerUserCommand(program: Command, withDatabase: WithDatabase): void {
  const user = program
    .command('user')
    .description('create people, reset their passwords, and end or block their access');
  registerCreate(user, withDatabase);
  const reset = user
    .command('reset-password')
    .description('set a new password for a person, which is printed only once, and end their sessions')
    .requiredOption('--email <address>', 'the email address of the person, or the id of the account (usr_…)');
  addJsonOption(addFurtherAccess(reset)).action((options: { email: string } & FurtherAccessOptions) =>
    withDatabase(async (database) => {
      const changed = await resetPassword(database, options.email, readFurtherAccess(options));
      const lines = [`New password of ${changed.email}: ${changed.password}`, initialPasswordNote];
      printResult(reset, changed, [...lines, ...describeEnded(changed)]);
    }),
  );
  registerAcceptInvitation(user, withDatabase);
  registerUserAccess(user, withDatabase);
}
