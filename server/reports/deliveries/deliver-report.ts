import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { isInterruption } from '../../platform/interruption.ts';
import type { JobDefinition } from '../../platform/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { findExport } from '../exports/export-queries.ts';
import { openExport, requestExport } from '../exports/exports.ts';
import { reportFormats } from '../formats/index.ts';
import { deliveryJobType } from '../job-types.ts';
import { deliveryErrorOf, isTooLarge } from './delivery-error.ts';
import { type DeliveredFile, deliveryMail } from './delivery-mail.ts';
import {
  completeDelivery,
  type DeliveredReport,
  type DeliveryKey,
  failDelivery,
  findDeliveredReport,
  findPendingDelivery,
} from './delivery-queries.ts';

export type DeliveryServices = {
  database: Database;
  mailer: Mailer;
  log: Log;
  /** Where browsers reach the server. */
  baseUrl: string;
};

/** A larger file is linked to: many mail servers take no more than this and its encoding. */
export const largestAttachmentBytes = 10 * 2 ** 20;
const maxAttempts = 12;
const noteEveryMs = 1_000;
const noteWithinMs = 60_000;

/** Answers undefined while there is no file, having asked for it: then it is rendered, and its mails are sent anew. */
async function readFile(
  { database }: DeliveryServices,
  orgId: string,
  { head: { id }, format }: DeliveredReport,
): Promise<DeliveredFile | undefined> {
  const state = await database.transaction(orgId, async (tx) => {
    await requestExport(tx, orgId, id, format);
    return findExport(tx, orgId, { reportId: id, format });
  });
  if (state?.status !== 'ready') return undefined;
  const file = await openExport(database, orgId, id, format);
  if (!file) return undefined;
  const size = file.size ?? Number.POSITIVE_INFINITY;
  if (size > largestAttachmentBytes) return { ...file, size, content: null };
  return { ...file, size, content: await buffer(file.content) };
}

async function send(services: DeliveryServices, orgId: string, report: DeliveredReport, to: string): Promise<void> {
  const { mailer, baseUrl } = services;
  const file = await readFile(services, orgId, report);
  if (!file) throw new FileMissing(report.format);
  try {
    await mailer.send(deliveryMail(report, file, { to, baseUrl }));
  } catch (error) {
    if (file.content === null || !isTooLarge(error)) throw error;
    await mailer.send(deliveryMail(report, { ...file, content: null }, { to, baseUrl }));
  }
}

class FileMissing extends Error {
  constructor(format: DeliveredReport['format']) {
    super(`the report could not be made as ${reportFormats[format].extension.toUpperCase()}`);
    this.name = 'FileMissing';
  }
}

/**
 * Mails a report to one recipient, and notes how that went. What fails is tried again with growing pauses, over some 16 hours.
 * A worker that dies between the mail server's yes and noting it has the mail sent twice: rather that than not at all. What was
 * interrupted is no attempt.
 */
export const deliverReportJob: JobDefinition<DeliveryServices, typeof deliveryJobType.schema> = {
  ...deliveryJobType,
  async run({ org_id: orgId, report_id: reportId, recipient }, services) {
    const { database, log } = services;
    const key: DeliveryKey = { reportId, recipient };
    const pending = await database.transaction(orgId, (tx) => findPendingDelivery(tx, orgId, key));
    if (!pending) return;
    const fail = (error: string, last: boolean) =>
      database.transaction(orgId, (tx) => failDelivery(tx, orgId, key, { error, last }));
    const report = await database.transaction(orgId, (tx) => findDeliveredReport(tx, orgId, reportId));
    if (!report) return;
    if (report.unscheduled) return fail('the scheduled report was deleted before it left', true);
    try {
      await send(services, orgId, report, recipient);
    } catch (error) {
      if (isInterruption(error)) throw error;
      const last = pending.attempts + 1 >= maxAttempts;
      await fail(error instanceof FileMissing ? error.message : deliveryErrorOf(error), last);
      if (!last) throw error;
      log.error({ err: error, reportId, recipient }, 'A report could not be mailed; it is given up.');
      return;
    }
    await patiently(() => database.transaction(orgId, (tx) => completeDelivery(tx, orgId, key)));
  },
};

/** The mail has left: a database that is away for a moment should not have it sent again. */
async function patiently(note: () => Promise<void>): Promise<void> {
  for (const began = Date.now(); ; await delay(noteEveryMs)) {
    try {
      return await note();
    } catch (error) {
      if (!isInterruption(error) || Date.now() - began > noteWithinMs) throw error;
    }
  }
}

export const reportDeliveryJobs = [deliverReportJob];
