import Type from 'typebox';
import {
  createInvitationToken as createLinkToken,
  hashInvitationToken as hashLinkToken,
} from '../../organization/invitation-token.ts';
import type { OrganizationServices } from '../../organization/jobs.ts';
import type { JobDefinition } from '../../platform/jobs.ts';
import { composeMail } from '../../platform/mail/mail-template.ts';
import { findUser, findUserByEmail } from '../queries.ts';
import { insertLink, type LinkKind } from './link-queries.ts';

const validMinutes = { password: 60, email: 24 * 60 } satisfies Record<LinkKind, number>;

const ignore = 'If you did not ask for this, you can ignore this mail: nothing changes.';

/** Makes a link whose token is only in the mail. */
async function makeLink(
  { database, baseUrl }: OrganizationServices,
  kind: LinkKind,
  page: string,
  person: { userId: string; email: string },
): Promise<string> {
  const token = createLinkToken();
  const link = { kind, ...person, tokenHash: hashLinkToken(token), validMinutes: validMinutes[kind] };
  await database.transaction(null, (tx) => insertLink(tx, link));
  return `${new URL(baseUrl).origin}/${page}?token=${token}`;
}

const resetPayload = Type.Object({ email: Type.String() });

/**
 * Mails a link for a new password. It is enqueued for any address, known or not, so that the request takes the same time
 * for both; here an unknown address, or a person who signs in without a password, gets nothing.
 */
export const sendPasswordReset: JobDefinition<OrganizationServices, typeof resetPayload> = {
  name: 'send-password-reset',
  schema: resetPayload,
  async run({ email }, services) {
    const { database, mailer } = services;
    const user = await database.transaction(null, async (tx) => {
      const found = await findUserByEmail(tx, email);
      return found && findUser(tx, found.id);
    });
    if (!user?.has_password) return;
    const url = await makeLink(services, 'password', 'reset-password', { userId: user.id, email });
    const mail = composeMail({
      subject: 'A new password for Assay',
      sender: 'Assay',
      heading: 'Choose a new password',
      lead: 'A new password was requested for your account on Assay.',
      action: { label: 'Choose a new password', url },
      footer: ['The link works once, for one hour.', ignore],
    });
    await mailer.send({ to: email, ...mail });
  },
};

const confirmationPayload = Type.Object({ user_id: Type.String(), email: Type.String() });

/** Mails a link to a person's new address. An address that is taken gets none. */
export const sendEmailConfirmation: JobDefinition<OrganizationServices, typeof confirmationPayload> = {
  name: 'send-email-confirmation',
  schema: confirmationPayload,
  async run({ user_id: userId, email }, services) {
    const { database, mailer } = services;
    if (await database.transaction(null, (tx) => findUserByEmail(tx, email))) return;
    const url = await makeLink(services, 'email', 'confirm-email', { userId, email });
    const mail = composeMail({
      subject: 'Confirm your email address for Assay',
      sender: 'Assay',
      heading: 'Confirm your new email address',
      lead: `From then on you sign in to Assay with ${email}.`,
      action: { label: 'Confirm the address', url },
      footer: ['The link works once, for 24 hours.', ignore],
    });
    await mailer.send({ to: email, ...mail });
  },
};

const changePayload = Type.Object({ email: Type.String(), new_email: Type.String() });

/** Tells the former address that the account has another one. */
export const sendEmailChange: JobDefinition<OrganizationServices, typeof changePayload> = {
  name: 'send-email-change',
  schema: changePayload,
  async run({ email, new_email: newEmail }, { mailer }) {
    const mail = composeMail({
      subject: 'Your email address for Assay was changed',
      sender: 'Assay',
      heading: 'Your email address was changed',
      lead: `Your account on Assay now has the address ${newEmail}. This address no longer signs in.`,
      footer: ['If this was not you, tell an administrator of your organization at once.'],
    });
    await mailer.send({ to: email, ...mail });
  },
};

export const signInMailJobs = [sendPasswordReset, sendEmailConfirmation, sendEmailChange];
