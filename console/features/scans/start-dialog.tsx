import type { DetectionSource } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { Choice, MultiSelect } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Load } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useStartScan } from './queries.ts';
import { kindsInWords } from './words.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Starts a scan of everything that a detection source handles, or of chosen data sources. */
export function StartScan({ source, onClose }: { source: DetectionSource; onClose: () => void }) {
  const query = useQuery(dataSourceChoicesQuery);
  const [what, setWhat] = useState('all');
  const [chosen, setChosen] = useState<string[]>([]);
  const start = useStartScan();
  const fitting = (query.data ?? []).filter(({ kind }) => source.data_source_kinds.includes(kind));
  const kinds = list.format(source.data_source_kinds.map((kind) => kindsInWords[kind]));
  const onSuccess = () => {
    showToast(`${source.name} has been started.`);
    onClose();
  };
  const begin = () => start.mutate({ type: source.type, dataSources: what === 'all' ? null : chosen }, { onSuccess });
  return (
    <Dialog title={`Scan with ${source.name}`} onClose={onClose}>
      <Form
        submit="Scan"
        loading={start.isPending}
        error={start.error}
        disabledReason={what === 'some' && chosen.length === 0 ? 'Choose a data source.' : null}
        onSubmit={begin}
        onCancel={onClose}
      >
        <Choice
          label="What to scan"
          value={what}
          onChange={setWhat}
          options={[
            { value: 'all', label: `All ${kinds}` },
            { value: 'some', label: 'Some of them' },
          ]}
        />
        {what === 'some' && (
          <Load query={query} rows={1}>
            {() => (
              <MultiSelect
                label="Data sources"
                searchable
                value={chosen}
                onChange={setChosen}
                options={fitting.map(({ id, name }) => ({ value: id, label: name }))}
              />
            )}
          </Load>
        )}
      </Form>
    </Dialog>
  );
}
