import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../../platform/errors.ts';
import { isInterruption } from '../../platform/interruption.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import { type Mailer, MailRefused } from '../../platform/mail/mail.ts';
import type { Database } from '../../platform/postgres/database.ts';
import {
  completeDelivery,
  type DeliveredReport,
  type DeliveryKey,
  failDelivery,
  findDeliveredReport,
  findPendingDelivery,
} from '../exports/delivery-queries.ts';
import { findExport } from '../exports/export-queries.ts';
import { openExport, requestExport } from '../exports/exports.ts';
import { deliveryJobType } from '../job-types.ts';
import { plainText } from '../plain-text.ts';
import { reportFormats } from '../writers/index.ts';
import { type DeliveredFile, deliveryMail } from './delivery-mail.ts';

/**
 * The properties of nodemailer's errors that are used here: the server's response, its code (`550`), the kind of
 * failure.
 */
type MailError = Partial<Record<'response' | 'code', string>> & { responseCode?: number };

const kinds: Record<string, string> = {
  EAUTH: 'the mail server rejected the credentials',
  EDNS: 'the name of the mail server could not be resolved',
  ETIMEDOUT: 'the mail server did not respond in time',
  ECONNECTION: 'the mail server could not be reached',
  ESOCKET: 'the mail server could not be reached',
  ETLS: 'no secure connection to the mail server could be established',
};

/**
 * Returns the reason why a mail failed, for people who manage the report: the server's response, if there is one, as
 * one short line.
 */
function deliveryErrorOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof MailRefused) return error.message;
  const { response, code } = error as MailError;
  if (typeof response === 'string' && response.trim() !== '') return plainText(response, { line: true, max: 200 });
  return kinds[code ?? ''] ?? 'it could not be sent; see the server log for the reason';
}

/**
 * Returns whether the server rejected the mail for its size (RFC 1870, RFC 3463), so that a smaller one may be
 * accepted.
 */
function isTooLarge(error: unknown): boolean {
  const { responseCode, response = '', code } = error as MailError;
  return responseCode === 552 || /\b5\.3\.4\b/.test(response) || (code === 'EMESSAGE' && /size/i.test(String(error)));
}

export type DeliveryServices = {
  database: Database;
  mailer: Mailer;
  log: Log;
  /** The URL of the server for browsers. */
  baseUrl: string;
};

/** Larger files are linked to: many mail servers accept no more than this with its encoding. */
export const maxAttachmentBytes = 10 * 2 ** 20;
const maxAttempts = 12;
const recordEveryMs = 1_000;
const recordWithinMs = 60_000;

/** Throws `FileMissing` if there is no file yet, and requests it; once it is rendered, its mails are sent again. */
async function readFile(
  { database }: DeliveryServices,
  orgId: string,
  { head: { id }, format }: DeliveredReport,
): Promise<DeliveredFile> {
  const state = await database.transaction(orgId, async (tx) => {
    await requestExport(tx, orgId, id, format);
    return findExport(tx, orgId, { reportId: id, format });
  });
  if (state?.status !== 'ready') throw new FileMissing(format, state?.error ?? null);
  const file = await openExport(database, orgId, id, format);
  if (!file) throw new FileMissing(format, null);
  const size = file.size ?? Number.POSITIVE_INFINITY;
  const { contentType, filenames } = file;
  const about = { contentType, filename: filenames.full, size };
  return { ...about, content: size > maxAttachmentBytes ? null : await buffer(file.content) };
}

async function send(services: DeliveryServices, orgId: string, report: DeliveredReport, to: string): Promise<void> {
  const { mailer, baseUrl } = services;
  const file = await readFile(services, orgId, report);
  try {
    await mailer.send(deliveryMail(report, file, { to, baseUrl }));
  } catch (error) {
    if (file.content === null || !isTooLarge(error)) throw error;
    await mailer.send(deliveryMail(report, { ...file, content: null }, { to, baseUrl }));
  }
}

class FileMissing extends Error {
  constructor(format: DeliveredReport['format'], reason: string | null) {
    const problem = `the report could not be rendered as ${reportFormats[format].extension.toUpperCase()}`;
    super(reason === null ? problem : `${problem}: ${reason}`);
    this.name = 'FileMissing';
  }
}

/**
 * Mails a report to one recipient and records the outcome. Failures are retried with growing pauses for about 16 hours.
 * If a worker dies between the mail server's acceptance and recording it, the mail is sent twice, which is better than
 * not at all. An interruption does not count as an attempt.
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
    if (report.unscheduled) return fail('the scheduled report was deleted before this email was sent', true);
    try {
      await send(services, orgId, report, recipient);
    } catch (error) {
      if (isInterruption(error)) throw error;
      const last = pending.attempts + 1 >= maxAttempts;
      await fail(error instanceof FileMissing ? error.message : deliveryErrorOf(error), last);
      if (!last) throw error;
      log.error({ err: error, reportId, recipient }, 'A report could not be mailed; no attempts are left.');
      return;
    }
    await recordWithRetries(() => database.transaction(orgId, (tx) => completeDelivery(tx, orgId, key)));
  },
};

/** Retries, because the mail is already sent: a short database outage must not cause it to be sent again. */
async function recordWithRetries(record: () => Promise<void>): Promise<void> {
  for (const began = performance.now(); ; await delay(recordEveryMs)) {
    try {
      return await record();
    } catch (error) {
      if (!isInterruption(error) || performance.now() - began > recordWithinMs) throw error;
    }
  }
}

export const reportDeliveryJobs = [deliverReportJob];
