import Type from 'typebox';
import type { OrganizationServices } from '../organization/jobs.ts';
import { enqueue, type JobDefinition } from '../platform/jobs/jobs.ts';
import { composeMail } from '../platform/mail/mail-template.ts';
import type { Db } from '../platform/postgres/database.ts';
import { findUser } from './queries.ts';

/**
 * The mails to a person about their account. Add a notice here, and call `noticeAccount` where the change is made.
 * None of them contains the name of a token or passkey, or the browser: an attacker could choose these words in a
 * mail that comes from us.
 */
const notices = {
  two_factor_enabled: {
    subject: 'The second factor of your Assay account is on',
    lead: 'From now on, signing in with your password needs a code from your authenticator.',
  },
  two_factor_replaced: {
    subject: 'The second factor of your Assay account was replaced',
    lead: 'The previous authenticator and the previous recovery codes no longer work.',
  },
  two_factor_removed: {
    subject: 'The second factor of your Assay account was removed',
    lead: 'From now on, your password alone signs you in.',
  },
  recovery_codes_renewed: {
    subject: 'Your Assay account has new recovery codes',
    lead: 'The previous recovery codes no longer work.',
  },
  recovery_code_used: {
    subject: 'A recovery code of your Assay account was used',
    lead: 'It replaced a code from your authenticator, and does not work again.',
  },
  new_device: {
    subject: 'Your Assay account was signed in to from a new device',
    lead: 'The browser had not signed in to this account before.',
  },
  password_changed: {
    subject: 'The password of your Assay account was changed',
    lead: 'All other sessions have ended.',
  },
  passkey_added: {
    subject: 'Your Assay account has a new passkey',
    lead: 'It signs you in without a password or a code.',
  },
  passkey_removed: {
    subject: 'A passkey of your Assay account was removed',
    lead: 'It no longer signs you in.',
  },
  token_created: {
    subject: 'Your Assay account has a new API token',
    lead: 'Programs that have it act in your name, within its scopes.',
  },
} as const;

type AccountNotice = keyof typeof notices;
export type FactorNotice = Extract<AccountNotice, `two_factor_${string}` | `recovery_code${string}`>;

const payload = Type.Object({
  notice: Type.Union((Object.keys(notices) as AccountNotice[]).map((notice) => Type.Literal(notice))),
  user_id: Type.String(),
  /** The client's address; null for the operator at the command line. */
  address: Type.Union([Type.String(), Type.Null()]),
  at: Type.String(),
});

const advice =
  'If this was not you, change your password, look through the sessions, passkeys and API tokens in your profile, and tell an administrator of your organization at once.';

/** Mails a person that something about their account changed. */
export const sendAccountNotice: JobDefinition<OrganizationServices, typeof payload> = {
  name: 'send-account-notice',
  schema: payload,
  async run({ notice, user_id: userId, address, at }, { database, mailer, baseUrl }) {
    const user = await database.transaction(null, (tx) => findUser(tx, userId));
    if (!user) return;
    const { subject, lead } = notices[notice];
    const from = address === null ? 'by the operator of the server' : `from the address ${address}`;
    const mail = composeMail({
      subject,
      sender: 'Assay',
      heading: subject,
      lead: `${lead} This happened on ${at.slice(0, 16).replace('T', ' at ')} UTC, ${from}.`,
      action: { label: 'Open your profile', url: `${new URL(baseUrl).origin}/profile` },
      footer: [advice],
    });
    await mailer.send({ to: user.email, ...mail });
  },
};

/** Mails the person in the transaction that makes the change. */
export async function noticeAccount(
  tx: Db,
  notice: AccountNotice,
  { userId, address }: { userId: string; address: string | null },
): Promise<void> {
  await enqueue(tx, sendAccountNotice, { notice, user_id: userId, address, at: new Date().toISOString() });
}
