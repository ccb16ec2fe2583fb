import Type, { type Static } from 'typebox';
import { email, enumeration, idOf, nullable, page, time } from '../platform/http/schema.ts';
import { formatTime, formatTimeOrNull } from '../platform/times.ts';
import type { DeliveryRow } from '../reports/exports/delivery-queries.ts';

const ReportDelivery = Type.Object(
  {
    report_id: idOf('rpt'),
    recipient: email(),
    status: enumeration(['pending', 'sent', 'failed'] as const, {
      $id: 'ReportDeliveryStatus',
      description: '`pending`: not sent yet, or to be tried again; `failed`: no attempts are left.',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'The number of attempts, the successful one included.' }),
    error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    created_at: time('When the report was created.'),
    sent_at: nullable(time('When the mail server accepted the mail.')),
  },
  { $id: 'ReportDelivery' },
);
export const ReportDeliveryPage = page(ReportDelivery, 'ReportDelivery');

export const deliveryView = (row: DeliveryRow): Static<typeof ReportDelivery> => ({
  report_id: row.reportId,
  recipient: row.recipient,
  status: row.status,
  attempts: row.attempts,
  error: row.error,
  created_at: formatTime(row.createdAt),
  sent_at: formatTimeOrNull(row.sentAt),
});

export const deliveryExample = {
  report_id: 'rpt_01jd3zb8m9n0p1q2r3s4t5v6w7',
  recipient: 'ciso@example.com',
  status: 'pending',
  attempts: 1,
  error: 'the mail server rejected the recipient: 550 no such mailbox',
  created_at: '2026-02-02T06:00:00Z',
  sent_at: null,
} as const;
