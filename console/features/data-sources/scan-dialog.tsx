import type { DataSource } from '@assay/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { detectionSourcesQuery } from '../../api/pickers.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Load, Note } from '../../ui/states.tsx';
import classes from './data-sources.module.css';

/** Scans a data source with the chosen scanners, by default with all that handle it. */
export function ScanDataSource({ source, onClose }: { source: DataSource; onClose: () => void }) {
  const client = useQueryClient();
  const query = useQuery(detectionSourcesQuery);
  const [left, setLeft] = useState<readonly string[]>([]);
  const able = (query.data ?? []).filter(
    ({ mode, data_source_kinds }) => mode === 'scan' && data_source_kinds.includes(source.kind),
  );
  const ready = able.filter(({ status }) => status === 'connected');
  const chosen = ready.filter(({ type }) => !left.includes(type));
  const start = useMutation({
    mutationFn: async () => {
      for (const { type } of chosen) await assay.detectionSources.scan(type, { data_source: source.id });
    },
    onSuccess: onClose,
    onSettled: () => {
      for (const key of ['scans', 'detection-sources']) void client.invalidateQueries({ queryKey: [key] });
    },
  });
  return (
    <Dialog title={`Scan ${source.name}`} onClose={onClose}>
      <Form
        submit="Scan"
        loading={start.isPending}
        error={start.error}
        disabledReason={chosen.length === 0 ? 'Choose a scanner.' : null}
        onSubmit={() => start.mutate()}
        onCancel={onClose}
      >
        <Load query={query}>
          {() => (
            <div className={classes.stack}>
              {able.length === 0 && <Note>No scanner handles this kind. Import the results of one instead.</Note>}
              {able.map(({ type, name, description, status, status_reason }) => (
                <Checkbox
                  key={type}
                  label={name}
                  description={status === 'connected' ? description : status_reason}
                  disabled={status !== 'connected'}
                  checked={chosen.some((entry) => entry.type === type)}
                  onChange={(checked) => setLeft(checked ? left.filter((entry) => entry !== type) : [...left, type])}
                />
              ))}
            </div>
          )}
        </Load>
      </Form>
    </Dialog>
  );
}
