import Type from 'typebox';
import { UserReference } from '../organization/schema.ts';
import { email, idOf, nullable, page, time } from '../platform/http/schema.ts';
import { documentExample, documentFields, documentInput } from '../reports/document-schema.ts';
import { ReportFilters, ReportSelection } from '../reports/report-filters.ts';
import { ReportFormat, reportTitle } from '../reports/report-schema.ts';
import { timetableCreation, timetableFields, timetableUpdate } from './timetable-schema.ts';

const recipients = Type.Array(email(), {
  $id: 'Recipients',
  minItems: 1,
  maxItems: 50,
  description: 'Email addresses of members or other people. Each gets a separate email.',
});

export const ScheduledReport = Type.Object(
  {
    id: idOf('srp'),
    title: Type.String(),
    filters: ReportSelection,
    format: ReportFormat,
    ...documentFields,
    recipients: Type.Array(email()),
    ...timetableFields,
    last_report_id: nullable(idOf('rpt', 'The last report that it created; null when that report is deleted.')),
    last_error: nullable(
      Type.String({
        description:
          'Why the last due time created no report, why that report failed, or which of its mails are not sent yet and why.',
      }),
    ),
    created_by: nullable(UserReference, {
      description: 'The user on whose behalf it runs, and the meaning of `me` in the filters.',
    }),
    created_at: time(),
    updated_at: time(),
  },
  { $id: 'ScheduledReport' },
);
export const ScheduledReportPage = page(ScheduledReport, 'ScheduledReport');

const optional = {
  title: Type.Optional(reportTitle),
  filters: Type.Optional(ReportFilters),
  format: Type.Optional(ReportFormat),
  ...documentInput,
};

export const ScheduledReportCreation = Type.Object(
  { ...optional, recipients, ...timetableCreation },
  { $id: 'ScheduledReportCreation' },
);

export const ScheduledReportUpdate = Type.Object(
  { ...optional, recipients: Type.Optional(recipients), ...timetableUpdate },
  { $id: 'ScheduledReportUpdate', minProperties: 1 },
);

export const scheduledReportExample = {
  id: 'srp_01jd3ze7n8p9q0r1s2t3v4w5x6',
  title: 'Critical and high findings',
  filters: { severity: ['critical', 'high'] },
  format: 'pdf',
  template: 'executive',
  document: documentExample,
  recipients: ['security@example.com', 'auditor@example.org'],
  cron: '0 7 * * MON',
  timezone: 'Europe/Berlin',
  enabled: true,
  next_run_at: '2026-02-09T06:00:00Z',
  last_run_at: '2026-02-02T06:00:02Z',
  last_report_id: 'rpt_01jd3zb8m9n0p1q2r3s4t5v6w7',
  last_error: null,
  created_by: { id: 'usr_01jd3x7k2pfr6v0t9y8n7m6k50', name: 'Ada Lovelace' },
  created_at: '2026-01-15T10:00:00Z',
  updated_at: '2026-01-15T10:00:00Z',
};
