import type { ScheduledReport } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useProfile } from '../../api/session.ts';
import { signInOptionsQuery } from '../../api/sign-in-options.ts';
import { openFindings } from '../../api/summary-parameters.ts';
import type { Filters } from '../../filters/filters.ts';
import { fromBody, toBody } from '../../filters/parameters.ts';
import { Select, TextArea } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Note, Skeleton } from '../../ui/states.tsx';
import { cronOf, newTimetable, timetableOf } from '../schedules/timetable.ts';
import { TimetableFields } from '../schedules/timetable-fields.tsx';
import { DocumentFields, documentDraftOf, documentParams, newDocument } from './document-fields.tsx';
import { useSaveScheduledReport } from './queries.ts';
import { SelectionFields } from './selection-fields.tsx';
import { formatNames, formats, type ReportFormat } from './words.ts';

/** Creates or changes a scheduled report. */
export function ScheduledReportDialog({ report, onClose }: { report: ScheduledReport | null; onClose: () => void }) {
  const { email } = useProfile();
  const mail = useQuery(signInOptionsQuery);
  const [title, setTitle] = useState(report?.title ?? '');
  const [recipients, setRecipients] = useState(report ? report.recipients.join('\n') : email);
  const [format, setFormat] = useState<ReportFormat>(report?.format ?? 'pdf');
  const [filters, setFilters] = useState<Filters>(() => (report ? fromBody(report.filters) : openFindings));
  const [timetable, setTimetable] = useState(() =>
    report
      ? timetableOf(report.cron, report.timezone)
      : { ...newTimetable(), preset: 'weekly' as const, time: '08:00' },
  );
  const [draft, setDraft] = useState(() => (report ? documentDraftOf(report) : newDocument('executive')));
  const save = useSaveScheduledReport(report?.id ?? null, onClose);
  const addresses = recipients.split(/[\s,;]+/).filter((address) => address !== '');
  const send = () =>
    save.mutate({
      ...(title.trim() !== '' && { title: title.trim() }),
      filters: toBody(filters),
      format,
      ...documentParams(draft),
      recipients: addresses,
      cron: cronOf(timetable),
      timezone: timetable.timezone,
    });
  return (
    <Dialog title={report ? `Edit ${report.title}` : 'Schedule a report'} onClose={onClose} size="lg" tall>
      {mail.isPending ? (
        <Skeleton rows={8} />
      ) : (
        <Form
          submit={report ? 'Save' : 'Schedule'}
          loading={save.isPending}
          error={save.error}
          disabledReason={addresses.length === 0 ? 'Add a recipient.' : null}
          onSubmit={send}
          onCancel={onClose}
        >
          {mail.data?.password_reset === false && (
            <Note kind="warning">
              No mail server is set up yet: reports are created on time, and sent once the operator sets SMTP_URL.
            </Note>
          )}
          <TextField label="Title" description="On the cover." value={title} onChange={setTitle} field="title" />
          <TextArea
            label="Recipients"
            description="Email addresses, one per line. Each person gets a separate email."
            rows={2}
            value={recipients}
            onChange={setRecipients}
            field="recipients"
          />
          <Select
            label="Format"
            value={format}
            onChange={(value) => setFormat(value as ReportFormat)}
            options={formats.map((value) => ({ value, label: formatNames[value] }))}
          />
          <DocumentFields draft={draft} change={(values) => setDraft({ ...draft, ...values })} />
          <TimetableFields timetable={timetable} change={(values) => setTimetable({ ...timetable, ...values })} />
          <SelectionFields filters={filters} onChange={setFilters} />
        </Form>
      )}
    </Dialog>
  );
}
