import type { Report } from '@assay/client';
import { useState } from 'react';
import { explain } from '../../api/errors.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { useCreateReport } from './queries.ts';
import { emptySelection, filtersOf } from './selection.ts';
import { SelectionFields } from './selection-fields.tsx';

/** Makes a report of what the filters select at this moment. */
export function ReportDialog({ onCreated, onClose }: { onCreated: (report: Report) => void; onClose: () => void }) {
  const [title, setTitle] = useState('');
  const [selection, setSelection] = useState({ ...emptySelection, status: ['new', 'triaged', 'in_progress'] });
  const create = useCreateReport(onCreated);
  const filters = filtersOf(selection);
  return (
    <Dialog title="Make a report" onClose={onClose} size="lg">
      <Form
        submit="Make the report"
        loading={create.isPending}
        error={create.error}
        onSubmit={() => create.mutate({ ...(title.trim() !== '' && { title: title.trim() }), filters })}
        onCancel={onClose}
      >
        <TextField
          label="Title"
          description="On the cover. Leave it empty for the usual one."
          autoFocus
          value={title}
          onChange={setTitle}
          error={create.error ? explain(create.error).fields.title : null}
        />
        <SelectionFields
          selection={selection}
          change={(values) => setSelection({ ...selection, ...values })}
          filters={filters}
        />
      </Form>
    </Dialog>
  );
}
