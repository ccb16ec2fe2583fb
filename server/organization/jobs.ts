import Type from 'typebox';
import { enqueue, enqueueOnce, type JobDefinition } from '../platform/jobs/jobs.ts';
import type { Mailer } from '../platform/mail/mail.ts';
import { composeMail } from '../platform/mail/mail-template.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import { sendAuditHeads } from './audit/heads/send-heads.ts';
import { listInvitationsWithoutJob, openInvitationForMail } from './invitation-queries.ts';
import { createInvitationToken, hashInvitationToken, invitationLink } from './invitation-token.ts';

const payload = Type.Object({ org_id: Type.String(), invitation_id: Type.String() });

/** The services that the worker provides to this slice's jobs. */
export type OrganizationServices = {
  database: Database;
  mailer: Mailer;
  /** The URL of the server for browsers. */
  baseUrl: string;
};

/**
 * Mails the link of an invitation. The link's token is generated here, so that it is never in the queue; only its hash
 * is stored. Running twice mails twice, and only the newer link works. Does nothing for an invitation that is not open.
 */
export const sendInvitation: JobDefinition<OrganizationServices, typeof payload> = {
  name: 'send-invitation',
  schema: payload,
  async run({ org_id: orgId, invitation_id: id }, { database, mailer, baseUrl }) {
    const token = createInvitationToken();
    const invitation = await database.transaction(orgId, (tx) =>
      openInvitationForMail(tx, orgId, id, { tokenHash: hashInvitationToken(token), mailed: !mailer.writesFiles }),
    );
    if (!invitation) return;
    const link = invitationLink(baseUrl, token);
    await mailer.send({ to: invitation.email, ...invitationMail({ ...invitation, link }) });
  },
};

/** The migrations contain the key too. */
const keyOf = (orgId: string, id: string) => `send-invitation:${orgId}:${id}`;

/** Enqueues the mail with the link of an invitation, to be sent after the transaction commits. */
export const enqueueInvitation = (tx: Db, orgId: string, id: string): Promise<void> =>
  enqueue(tx, sendInvitation, { org_id: orgId, invitation_id: id }, { key: keyOf(orgId, id) });

/** Enqueues every invitation whose mail lost its job. Runs on every node; each invitation gets one job. */
async function takeUpInvitations({ database }: { database: Database }): Promise<void> {
  for (const { orgId, id } of await database.transaction(null, listInvitationsWithoutJob)) {
    const payload = { org_id: orgId, invitation_id: id };
    await database.transaction(orgId, (tx) => enqueueOnce(tx, sendInvitation, payload, keyOf(orgId, id)));
  }
}

export const organizationTicks = [
  { name: 'Resuming invitations without a job', everyMs: 60_000, run: takeUpInvitations },
  { name: 'Sending heads of the audit log', everyMs: 60_000, run: sendAuditHeads },
];

// biome-ignore lint/suspicious/noExplicitAny: a list of jobs has payloads of every type
export const organizationJobs: JobDefinition<OrganizationServices, any>[] = [sendInvitation];

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

type MailFacts = { organization: string; invited_by: string | null; expires_at: Date; link: string };

function invitationMail({ organization, invited_by, expires_at, link }: MailFacts) {
  return composeMail({
    subject: `Invitation to ${organization} on Assay`,
    sender: 'Assay',
    heading: `Join ${organization}`,
    lead: `${invited_by ?? 'An administrator'} invites you to ${organization} on Assay.`,
    action: { label: 'Accept the invitation', url: link },
    footer: [
      `The link works once, until ${moment.format(expires_at)} UTC.`,
      'If you did not expect this invitation, you can ignore this mail.',
    ],
  });
}
