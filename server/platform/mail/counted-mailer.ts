import type { Instruments } from '../metrics.ts';
import { type Mailer, MailRefused } from './mail.ts';

const outcomes = ['sent', 'refused', 'failed'] as const;

/** Counts the mails of a mailer: `refused` ones are not retried, `failed` ones are. */
export function countMails(mailer: Mailer, metrics: Instruments): Mailer {
  const mails = metrics.counter('mails_total', 'Mails by outcome: sent, refused, failed (and tried again).', [
    'outcome',
  ]);
  for (const outcome of outcomes) mails.inc({ outcome }, 0);
  return {
    ...mailer,
    async send(mail) {
      try {
        await mailer.send(mail);
        mails.inc({ outcome: 'sent' });
      } catch (error) {
        mails.inc({ outcome: error instanceof MailRefused ? 'refused' : 'failed' });
        throw error;
      }
    },
  };
}
