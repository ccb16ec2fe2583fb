import Type, { type Static } from 'typebox';
import { findPolicy } from '../findings/policy-queries.ts';
import { listMembersOfRoles } from '../organization/queries.ts';
import { isAtLeast, type Role, roles } from '../organization/roles.ts';
import { enqueue, type JobDefinition } from '../platform/jobs/jobs.ts';
import type { Mailer } from '../platform/mail/mail.ts';
import { composeMail } from '../platform/mail/mail-template.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import { type AnnouncedRequest, listOpenRequests, markAnnounced } from './request-queries.ts';

type AnnouncementServices = { database: Database; mailer: Mailer; baseUrl: string };

const announceSchema = Type.Object({ org_id: Type.String() });
const announceJobType = { name: 'announce-decision-requests', schema: announceSchema };

const mailSchema = Type.Object({ org_id: Type.String(), user_id: Type.String(), requests: Type.Array(Type.String()) });
const mailJobType = { name: 'mail-decision-requests', schema: mailSchema };

const pauseMs = 60_000;

/** Enqueues the mail to approvers about a new request. Those of a minute share one. */
export async function enqueueAnnouncement(tx: Db, orgId: string): Promise<void> {
  const key = `announce-decision-requests:${orgId}:${Math.floor(Date.now() / pauseMs)}`;
  await enqueue(tx, announceJobType, { org_id: orgId }, { key, delayMs: pauseMs });
}

const approverRoles = async (tx: Db, orgId: string): Promise<Role[]> => {
  const { approvers } = (await findPolicy(tx, orgId)).decisions;
  return roles.filter((role) => isAtLeast(role, approvers));
};

/** Enqueues a mail for each approver. Each is sent, and tried again, by itself. */
const announceRequests: JobDefinition<AnnouncementServices, typeof announceSchema> = {
  ...announceJobType,
  async run({ org_id: orgId }, { database }) {
    await database.transaction(orgId, async (tx) => {
      const announced = await markAnnounced(tx, orgId);
      for (const { id: userId } of await listMembersOfRoles(tx, orgId, await approverRoles(tx, orgId))) {
        const requests = announced.filter(({ requesterId }) => requesterId !== userId).map(({ id }) => id);
        if (requests.length > 0) await enqueue(tx, mailJobType, { org_id: orgId, user_id: userId, requests });
      }
    });
  },
};

/** Mails an approver about requests that are still open, unless they may not approve any more. */
const mailRequests: JobDefinition<AnnouncementServices, typeof mailSchema> = {
  ...mailJobType,
  async run(
    { org_id: orgId, user_id: userId, requests: ids }: Static<typeof mailSchema>,
    { database, mailer, baseUrl },
  ) {
    const found = await database.transaction(orgId, async (tx) => {
      const approvers = await listMembersOfRoles(tx, orgId, await approverRoles(tx, orgId));
      return { to: approvers.find(({ id }) => id === userId)?.email, requests: await listOpenRequests(tx, orgId, ids) };
    });
    if (found.to === undefined || found.requests.length === 0) return;
    await mailer.send({ to: found.to, ...requestMail(found.requests, new URL(baseUrl).origin) });
  },
};

// biome-ignore lint/suspicious/noExplicitAny: a list of jobs has payloads of every type
export const requestJobs: JobDefinition<AnnouncementServices, any>[] = [announceRequests, mailRequests];

const asks: Record<AnnouncedRequest['outcome'], string> = {
  false_positive: 'asks to mark findings as false positives',
  accepted_risk: 'asks to accept a risk',
  triaged: 'asks to mark findings as triaged',
  demoted: 'asks to show findings of a rule as info',
};

const maxListed = 10;

/** The mail has no word that a requester chose but the name: the reason and the scope are in the console. */
function requestMail(requests: AnnouncedRequest[], origin: string) {
  const count = requests.length;
  const subject = count === 1 ? 'A decision to approve' : `${count} decisions to approve`;
  const items = requests.slice(0, maxListed).map(({ id, requester, origin, outcome }) => ({
    title: `${origin === 'repository' ? 'A repository' : (requester ?? 'A former member')} ${asks[outcome]}`,
    detail: '',
    url: `${origin}/decisions?tab=requested&open=${id}`,
  }));
  return composeMail({
    subject: `${subject} on Assay`,
    sender: 'Assay',
    heading: subject,
    lead: count === 1 ? `${items[0]!.title}.` : `${count} requests wait for your approval.`,
    ...(count > 1 && { steps: { heading: count > maxListed ? 'The first ten' : 'Requests', items } }),
    action: { label: 'Open the requests', url: `${origin}/decisions?tab=requested` },
    footer: ['You get this mail because your role approves decisions. Requests end after 30 days without an answer.'],
  });
}
