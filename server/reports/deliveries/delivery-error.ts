import { ApiError } from '../../platform/errors.ts';
import { MailRefused } from '../../platform/mail/mail.ts';
import { plainText } from '../plain-text.ts';

/** The members of nodemailer's errors that are read here: a server's answer, its code (`550`), the kind of failure. */
type MailError = Partial<Record<'response' | 'code', string>> & { responseCode?: number };

const kinds: Record<string, string> = {
  EAUTH: 'the mail server refused our sign-in',
  EDNS: 'the name of the mail server could not be resolved',
  ETIMEDOUT: 'the mail server did not answer in time',
  ECONNECTION: 'the mail server could not be reached',
  ESOCKET: 'the mail server could not be reached',
  ETLS: 'the mail server offers no connection that is safe',
};

/** What a mail failed of, for those who manage the report: the server's own words where there are any, as one short line. */
export function deliveryErrorOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof MailRefused) return error.message;
  const { response, code } = error as MailError;
  if (typeof response === 'string' && response.trim() !== '') return plainText(response, { line: true, max: 200 });
  return kinds[code ?? ''] ?? 'it could not be sent; the log of the server says why';
}

/** Whether the server takes no mail of that size (RFC 1870, RFC 3463): a smaller one may go through. */
export function isTooLarge(error: unknown): boolean {
  const { responseCode, response = '', code } = error as MailError;
  return responseCode === 552 || /\b5\.3\.4\b/.test(response) || (code === 'EMESSAGE' && /size/i.test(String(error)));
}
