import { buffer } from 'node:stream/consumers';
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
  beginDelivery,
  completeDelivery,
  type DeliveredReport,
  type DeliveryKey,
  failDelivery,
  findDeliveredReport,
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
const mostAttempts = 12;

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
 * A worker that dies between the mail server's yes and noting it has the mail sent twice: rather that than not at all.
 */
export const deliverReportJob: JobDefinition<DeliveryServices, typeof deliveryJobType.schema> = {
  ...deliveryJobType,
  async run({ org_id: orgId, report_id: reportId, recipient }, services) {
    const { database, log } = services;
    const key: DeliveryKey = { reportId, recipient };
    const begun = await database.transaction(orgId, (tx) => beginDelivery(tx, orgId, key));
    if (!begun) return;
    const fail = (error: string, last: boolean) =>
      database.transaction(orgId, (tx) => failDelivery(tx, orgId, key, { error, last }));
    // Attempts that died with their worker noted nothing.
    if (begun.attempts > mostAttempts) return fail(begun.error ?? 'it was interrupted again and again', true);
    const report = await database.transaction(orgId, (tx) => findDeliveredReport(tx, orgId, reportId));
    if (!report) return;
    if (report.unscheduled) return fail('the scheduled report was deleted before it left', true);
    try {
      await send(services, orgId, report, recipient);
    } catch (error) {
      const last = begun.attempts === mostAttempts;
      await fail(error instanceof FileMissing ? error.message : deliveryErrorOf(error), last);
      if (!last) throw error;
      log.error({ err: error, reportId, recipient }, 'A report could not be mailed; it is given up.');
      return;
    }
    await database.transaction(orgId, (tx) => completeDelivery(tx, orgId, key));
  },
};

export const reportDeliveryJobs = [deliverReportJob];
