import type { Command } from 'commander';
import { findAuditedAccount, operator, recordAccountAudit } from '../../organization/audit.ts';
import type { AuditAction } from '../../organization/audit-actions.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { addJsonOption, printResult, type WithDatabase } from '../../platform/command-output.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { formatTimeOrNull } from '../../platform/times.ts';
import { noticeAccount } from '../account-notices.ts';
import { findAccount } from '../find-account.ts';
import { deleteFactor } from '../two-factor/two-factor-queries.ts';
import { deleteSessionsOf, type ListedUser, listUsers, updateDisabled } from './user-access-queries.ts';

type Outcome = { changed: boolean; sentence: string };
type Change = (tx: Db, userId: string) => Promise<Outcome>;

/** Changes what a person may use, with the audit event, and makes every node check their credentials again. */
async function changeAccess(database: Database, email: string, action: AuditAction, change: Change) {
  const user = await findAccount(database, email);
  const { changed, sentence } = await database.transaction(null, async (tx) => {
    const account = await findAuditedAccount(tx, user.id);
    const outcome = await change(tx, user.id);
    if (!outcome.changed) return outcome;
    const target = { id: user.id, name: user.name };
    await recordAccountAudit(tx, account, { actor: operator, action, target });
    await announceAuthenticationChange(tx);
    return outcome;
  });
  return { result: { id: user.id, email: user.email, changed }, line: `${user.email} ${sentence}` };
}

const disable: Change = async (tx, userId) => {
  const changed = await updateDisabled(tx, userId, true);
  await deleteSessionsOf(tx, userId);
  return {
    changed,
    sentence: changed ? 'is disabled: sessions have ended, tokens are refused.' : 'was disabled before.',
  };
};

const enable: Change = async (tx, userId) => {
  const changed = await updateDisabled(tx, userId, false);
  return {
    changed,
    sentence: changed
      ? 'is enabled: they can sign in, and tokens that were not revoked work again.'
      : 'was not disabled.',
  };
};

const signOut: Change = async (tx, userId) => {
  const ended = await deleteSessionsOf(tx, userId);
  return { changed: ended > 0, sentence: `is signed out: ${ended} sessions have ended. Tokens stay.` };
};

const removeSecondFactor: Change = async (tx, userId) => {
  const changed = await deleteFactor(tx, userId);
  if (changed) await noticeAccount(tx, 'two_factor_removed', { userId, address: null });
  return { changed, sentence: changed ? 'has no second factor any more.' : 'had no second factor.' };
};

const commands: { name: string; description: string; action: AuditAction; change: Change }[] = [
  {
    name: 'disable',
    description: 'refuse a person: their sessions end, and their tokens and every sign-in are refused, at once',
    action: 'account.disabled',
    change: disable,
  },
  { name: 'enable', description: 'let a disabled person in again', action: 'account.enabled', change: enable },
  {
    name: 'sign-out',
    description: 'end all sessions of a person; every browser asks for a code again',
    action: 'account.sessions_ended',
    change: signOut,
  },
  {
    name: 'remove-second-factor',
    description: 'remove the second factor of a person who lost it; they get a mail',
    action: 'account.two_factor_reset',
    change: removeSecondFactor,
  },
];

const view = ({ disabled_at, ...user }: ListedUser) => ({ ...user, disabled_at: formatTimeOrNull(disabled_at) });

function line({ email, id, disabled_at, two_factor_enabled, sessions, organizations }: ListedUser): string {
  const roles = organizations.map(({ name, role }) => `${role} of ${name}`).join(', ') || 'no organization';
  const factor = two_factor_enabled ? 'second factor' : 'no second factor';
  return [id, email, roles, factor, `${sessions} sessions`, ...(disabled_at ? ['disabled'] : [])].join('  ');
}

/** Adds `user list`, `disable`, `enable`, `sign-out` and `remove-second-factor`. */
export function registerUserAccess(user: Command, withDatabase: WithDatabase): void {
  const list = user.command('list').description('list all people, their organizations, second factors and sessions');
  addJsonOption(list).action(() =>
    withDatabase(async (database) => {
      const people = await listUsers(database);
      printResult(list, people.map(view), people.map(line));
    }),
  );
  for (const { name, description, action, change } of commands) {
    const command = user
      .command(name)
      .description(description)
      .requiredOption('--email <address>', 'the email address of the person');
    addJsonOption(command).action(({ email }: { email: string }) =>
      withDatabase(async (database) => {
        const changed = await changeAccess(database, email, action, change);
        printResult(command, changed.result, [changed.line]);
      }),
    );
  }
}
