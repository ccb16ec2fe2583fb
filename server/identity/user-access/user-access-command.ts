import type { Command } from 'commander';
import { operator } from '../../organization/audit.ts';
import { type AuditAction, auditActions } from '../../organization/audit-actions.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { addJsonOption, printResult, type WithDatabase } from '../../platform/command-output.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { formatTimeOrNull } from '../../platform/times.ts';
import { changeAccount, recordAccountAudit } from '../account-changes/change-account.ts';
import { noticeAccount } from '../account-notices.ts';
import { type EndedAccess, endedAccess, endFurtherAccess, type FurtherAccess } from '../accounts/end-further-access.ts';
import { findAccount } from '../find-account.ts';
import { deleteFactor } from '../two-factor/two-factor-queries.ts';
import { deleteSessionsOf, type ListedUser, listUsers, updateDisabled } from './user-access-queries.ts';

export type FurtherAccessOptions = { revokeTokens?: true; removePasskeys?: true };

/** Adds the options that end access which, for example, a new password leaves. */
export const addFurtherAccess = (command: Command): Command =>
  command
    .option('--revoke-tokens', 'also revoke all API tokens of the person')
    .option('--remove-passkeys', 'also remove all passkeys of the person');

export const readFurtherAccess = ({ revokeTokens, removePasskeys }: FurtherAccessOptions): FurtherAccess => ({
  revoke_tokens: revokeTokens ?? false,
  remove_passkeys: removePasskeys ?? false,
});

/** Returns a line about further access that was ended; no line if there was none. */
export function describeEnded({ revoked_tokens: tokens, removed_passkeys: passkeys }: EndedAccess): string[] {
  const parts = [
    ...(tokens > 0 ? [`${tokens} API ${tokens === 1 ? 'token is' : 'tokens are'} revoked`] : []),
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey is' : 'passkeys are'} removed`] : []),
  ];
  return parts.length === 0 ? [] : [`${parts.join(', ')}.`];
}

type Outcome = { changed: boolean; sentence: string };
type Change = (tx: Db, userId: string) => Promise<Outcome>;

/** Changes a person's access, with an audit event, and makes every node check their credentials again. */
async function changeAccess(
  database: Database,
  email: string,
  { action, change }: Pick<AccessCommand, 'action' | 'change'>,
  wanted: FurtherAccess,
) {
  const user = await findAccount(database, email);
  const { changed, sentence, ...ended } = await changeAccount({ database }, user.id, async (tx, account) => {
    const outcome = await change(tx, user.id);
    if (outcome.changed) {
      const target = { id: user.id, name: user.name };
      await recordAccountAudit(tx, account, { actor: operator, action, target });
      await announceAuthenticationChange(tx);
    }
    const because = auditActions[action];
    const removed = await endFurtherAccess(tx, account, wanted, { actor: operator, because });
    return { ...outcome, account, removed };
  });
  const access = endedAccess(ended);
  const lines = [`${user.email} ${sentence}`, ...describeEnded(access)];
  return { result: { id: user.id, email: user.email, changed, ...access }, lines };
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
  return { changed: ended > 0, sentence: `is signed out: ${ended} sessions have ended.` };
};

const removeSecondFactor: Change = async (tx, userId) => {
  const changed = await deleteFactor(tx, userId);
  if (changed) await noticeAccount(tx, 'two_factor_removed', { userId, address: null });
  return { changed, sentence: changed ? 'has no second factor any more.' : 'had no second factor.' };
};

type AccessCommand = {
  name: string;
  description: string;
  action: AuditAction;
  change: Change;
  /** Whether tokens and passkeys stay unless an option says otherwise. */
  leavesAccess?: boolean;
};

const commands: AccessCommand[] = [
  {
    name: 'disable',
    description: 'disable a person: sessions end, and tokens and sign-ins are refused, at once',
    action: 'account.disabled',
    change: disable,
  },
  { name: 'enable', description: 'enable a disabled person again', action: 'account.enabled', change: enable },
  {
    name: 'sign-out',
    description: 'end all sessions of a person; every browser asks for a code again, and tokens stay',
    action: 'account.sessions_ended',
    change: signOut,
    leavesAccess: true,
  },
  {
    name: 'remove-second-factor',
    description: 'remove the second factor of a person who lost it; they get a mail',
    action: 'account.two_factor_reset',
    change: removeSecondFactor,
    leavesAccess: true,
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
  for (const { name, description, leavesAccess = false, ...access } of commands) {
    const command = user
      .command(name)
      .description(description)
      .requiredOption('--email <address>', 'the email address of the person');
    if (leavesAccess) addFurtherAccess(command);
    addJsonOption(command).action(({ email, ...options }: { email: string } & FurtherAccessOptions) =>
      withDatabase(async (database) => {
        const changed = await changeAccess(database, email, access, readFurtherAccess(options));
        printResult(command, changed.result, changed.lines);
      }),
    );
  }
}
