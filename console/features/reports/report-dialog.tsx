import type { Report } from '@assay/client';
import { useState } from 'react';
import { openFindings } from '../../api/summary-parameters.ts';
import { type Filters, isEmpty } from '../../filters/filters.ts';
import { toBody } from '../../filters/parameters.ts';
import { Select } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { formatTime } from '../../ui/time.tsx';
import { DocumentFields, documentParams, newDocument } from './document-fields.tsx';
import { useCreateReport, useReportPages } from './queries.ts';
import { SelectionFields } from './selection-fields.tsx';

type ReportDialogProps = {
  /** The initial filters; by default those of the open findings. */
  from: Filters;
  onCreated: (report: Report) => void;
  onClose: () => void;
};

/** Creates a report of the findings that the filters select now. */
export function ReportDialog({ from, onCreated, onClose }: ReportDialogProps) {
  const [title, setTitle] = useState('');
  const [filters, setFilters] = useState<Filters>(isEmpty(from) ? openFindings : from);
  const [draft, setDraft] = useState(newDocument('audit'));
  const [earlier, setEarlier] = useState('');
  const reports = useReportPages().data ?? [];
  const create = useCreateReport(onCreated);
  return (
    <Dialog title="Make a report" onClose={onClose} size="lg" tall>
      <Form
        submit="Make the report"
        loading={create.isPending}
        error={create.error}
        onSubmit={() =>
          create.mutate({
            ...(title.trim() !== '' && { title: title.trim() }),
            filters: toBody(filters),
            ...documentParams(draft),
            ...(earlier !== '' && { compare_to: earlier }),
          })
        }
        onCancel={onClose}
      >
        <TextField
          label="Title"
          description="On the cover. Leave empty for the default title."
          autoFocus
          value={title}
          onChange={setTitle}
          field="title"
        />
        <DocumentFields draft={draft} change={(values) => setDraft({ ...draft, ...values })} />
        <Select
          label="Compare with"
          description="Figures show changes since then."
          value={earlier}
          onChange={setEarlier}
          options={[
            { value: '', label: 'No earlier report' },
            ...reports
              .filter(({ status }) => status === 'ready')
              .map(({ id, title: name, created_at }) => ({ value: id, label: `${name}, ${formatTime(created_at)}` })),
          ]}
          field="compare_to"
        />
        <SelectionFields filters={filters} onChange={setFilters} />
      </Form>
    </Dialog>
  );
}
