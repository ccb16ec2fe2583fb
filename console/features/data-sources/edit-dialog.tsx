import type { DataSource } from '@assay/client';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { type Draft, draftOf, missingOf, updateOf } from './draft.ts';
import { DataSourceFields } from './form-fields.tsx';
import { useUpdateDataSource } from './queries.ts';

/** Changes the name and the configuration of a data source. */
export function EditDataSource({ source, onClose }: { source: DataSource; onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(source));
  const update = useUpdateDataSource(source.id, onClose);
  return (
    <Dialog title={`Edit ${source.name}`} onClose={onClose} size="lg">
      <Form
        submit="Save"
        loading={update.isPending}
        error={update.error}
        disabledReason={missingOf(draft)}
        onSubmit={() => update.mutate(updateOf(draft))}
        onCancel={onClose}
      >
        <DataSourceFields
          draft={draft}
          change={(values) => setDraft({ ...draft, ...values })}
          stored={source.has_credential}
        />
      </Form>
    </Dialog>
  );
}
