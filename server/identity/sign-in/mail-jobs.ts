import Type from 'typebox';
import {
  createInvitationToken as createLinkToken,
  hashInvitationToken as hashLinkToken,
} from '../../organization/invitation-token.ts';
import type { OrganizationServices } from '../../organization/jobs.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import { composeMail } from '../../platform/mail/mail-template.ts';
import { type Account, findAccountById, findVerifiedUser, listAccounts } from '../accounts/account-queries.ts';
import { findUser, listMemberships } from '../queries.ts';
import { insertLink, type LinkKind } from './link-queries.ts';

const validMinutes = { password: 60, email: 24 * 60 } satisfies Record<LinkKind, number>;

const ignore = 'If you did not ask for this, you can ignore this mail: nothing changes.';

/** Creates a link whose token is only in the mail. */
async function makeLink(
  { database, baseUrl, mailer }: OrganizationServices,
  kind: LinkKind,
  page: string,
  person: { userId: string; email: string },
): Promise<string> {
  const token = createLinkToken();
  const mailed = !mailer.writesFiles;
  const link = { kind, ...person, mailed, tokenHash: hashLinkToken(token), validMinutes: validMinutes[kind] };
  await database.transaction(null, (tx) => insertLink(tx, link));
  return `${new URL(baseUrl).origin}/${page}?token=${token}`;
}

/** Names an account by its organizations, for a person with several accounts of an address. */
async function organizationsOf({ database }: OrganizationServices, userId: string): Promise<string> {
  const names = (await listMemberships(database, userId)).map(({ name }) => name);
  return names.length === 0 ? 'Assay' : `${names.join(', ')} on Assay`;
}

const claimNote =
  'Nobody has proved yet that your email address is theirs. Opening the link proves it, and the account belongs to you only. Its sessions, passkeys, second factor and API tokens end.';

/** Mails a link for a new password of an account. */
async function mailPasswordLink(
  services: OrganizationServices,
  { id: userId, email, verified }: Account,
  subject: string,
  heading: string,
): Promise<void> {
  const url = await makeLink(services, 'password', 'reset-password', { userId, email });
  const mail = composeMail({
    subject,
    sender: 'Assay',
    heading,
    lead: `For your account of ${await organizationsOf(services, userId)}.`,
    paragraphs: verified ? [] : [claimNote],
    action: { label: 'Choose a new password', url },
    footer: ['The link works once, for one hour.', ignore],
  });
  await services.mailer.send({ to: email, ...mail });
}

/** An address can have a verified account, and one for each organization that invited it. */
const maxResetMails = 10;

const resetPayload = Type.Object({ email: Type.String() });

/**
 * Mails a link for a new password for each account of an address. The job is enqueued for any address, known or not,
 * so that the request takes the same time for both. An unknown address, or a person without a password, gets no mail.
 */
export const sendPasswordReset: JobDefinition<OrganizationServices, typeof resetPayload> = {
  name: 'send-password-reset',
  schema: resetPayload,
  async run({ email }, services) {
    const accounts = await services.database.transaction(null, async (tx) => {
      const found = [];
      for (const account of await listAccounts(tx, email)) {
        if ((await findUser(tx, account.id))?.has_password) found.push(account);
      }
      return found;
    });
    for (const account of accounts.slice(0, maxResetMails)) {
      await mailPasswordLink(services, account, 'A new password for Assay', 'Choose a new password');
    }
  },
};

const verificationPayload = Type.Object({ user_id: Type.String() });

/** Mails a link by which the person of an unverified account verifies their address. */
export const sendAddressVerification: JobDefinition<OrganizationServices, typeof verificationPayload> = {
  name: 'send-address-verification',
  schema: verificationPayload,
  async run({ user_id: userId }, services) {
    const account = await services.database.transaction(null, (tx) => findAccountById(tx, userId));
    if (!account || account.verified) return;
    await mailPasswordLink(services, account, 'Verify your email address for Assay', 'Verify your email address');
  },
};

const confirmationPayload = Type.Object({ user_id: Type.String(), email: Type.String() });

/** Mails a link to a person's new address. Another person's verified address gets none. */
export const sendEmailConfirmation: JobDefinition<OrganizationServices, typeof confirmationPayload> = {
  name: 'send-email-confirmation',
  schema: confirmationPayload,
  async run({ user_id: userId, email }, services) {
    const { database, mailer } = services;
    if (await database.transaction(null, (tx) => findVerifiedUser(tx, email))) return;
    const url = await makeLink(services, 'email', 'confirm-email', { userId, email });
    const mail = composeMail({
      subject: 'Confirm your email address for Assay',
      sender: 'Assay',
      heading: 'Confirm your new email address',
      lead: `From then on you sign in to Assay with ${email}.`,
      action: { label: 'Confirm the address', url },
      footer: ['The link works once, for 24 hours, in the browser where you are signed in.', ignore],
    });
    await mailer.send({ to: email, ...mail });
  },
};

const changePayload = Type.Object({ email: Type.String(), new_email: Type.String() });

/** Notifies the former address that the account has a new one. */
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

export const signInMailJobs = [sendPasswordReset, sendAddressVerification, sendEmailConfirmation, sendEmailChange];
