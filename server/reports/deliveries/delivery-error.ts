import { ApiError } from '../../platform/errors.ts';
import { MailRefused } from '../../platform/mail/mail.ts';
import { plainText } from '../plain-text.ts';

/**
 * The members of nodemailer's errors that are read here: the server's response, its code (`550`), the kind of failure.
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
 * Returns why a mail failed, for people who manage the report: the server's response, if there is one, as one short
 * line.
 */
export function deliveryErrorOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof MailRefused) return error.message;
  const { response, code } = error as MailError;
  if (typeof response === 'string' && response.trim() !== '') return plainText(response, { line: true, max: 200 });
  return kinds[code ?? ''] ?? 'it could not be sent; see the server log for the reason';
}

/**
 * Returns whether the server rejected the mail for its size (RFC 1870, RFC 3463), so that a smaller one may be
 * accepted.
 */
export function isTooLarge(error: unknown): boolean {
  const { responseCode, response = '', code } = error as MailError;
  return responseCode === 552 || /\b5\.3\.4\b/.test(response) || (code === 'EMESSAGE' && /size/i.test(String(error)));
}
