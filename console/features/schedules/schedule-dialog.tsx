import type { ScanSchedule } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataSourceChoicesQuery, detectionSourcesQuery } from '../../api/pickers.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { MultiSelect, Select, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Load } from '../../ui/states.tsx';
import { useSaveSchedule } from './queries.ts';
import { cronOf, newTimetable, scheduleName, timetableOf } from './timetable.ts';
import { TimetableFields } from './timetable-fields.tsx';

/** Makes a schedule, or changes one. */
export function ScheduleDialog({ schedule, onClose }: { schedule: ScanSchedule | null; onClose: () => void }) {
  const [name, setName] = useState(schedule?.name ?? '');
  const [source, setSource] = useState(schedule?.source ?? '');
  const [targets, setTargets] = useState<string[]>(schedule?.data_sources ?? []);
  const [timetable, setTimetable] = useState(() =>
    schedule ? timetableOf(schedule.cron, schedule.timezone) : newTimetable(),
  );
  const scanners = useQuery(detectionSourcesQuery);
  const dataSources = useQuery(dataSourceChoicesQuery);
  const save = useSaveSchedule(schedule?.id ?? null, onClose);
  const chosen = scanners.data?.find(({ type }) => type === source);
  const fitting = (dataSources.data ?? []).filter(({ kind }) => chosen?.data_source_kinds.includes(kind) ?? true);
  const send = () =>
    save.mutate({
      name: name.trim() || scheduleName(chosen?.name ?? source, cronOf(timetable)),
      source,
      data_sources: targets.length === 0 ? null : targets,
      cron: cronOf(timetable),
      timezone: timetable.timezone,
    });
  return (
    <Dialog title={schedule ? `Edit ${schedule.name}` : 'Add a schedule'} onClose={onClose} size="lg">
      <Load query={scanners}>
        {(sources) => (
          <Form
            submit={schedule ? 'Save' : 'Add'}
            loading={save.isPending}
            error={save.error}
            disabledReason={source === '' ? 'Choose a scanner.' : null}
            onSubmit={send}
            onCancel={onClose}
          >
            <Select
              label="Scanner"
              required
              searchable
              placeholder="Choose one"
              value={source === '' ? null : source}
              onChange={setSource}
              options={sources
                .filter(({ mode, status, type }) => mode === 'scan' && (status === 'connected' || type === source))
                .map(({ type, name: label }) => ({ value: type, label }))}
              field="source"
            />
            <MultiSelect
              label="Data sources"
              description="Leave it empty for all that the scanner handles, also those added later."
              searchable
              value={targets}
              onChange={setTargets}
              options={fitting.map(({ id, name: label }) => ({ value: id, label }))}
              field="data_sources"
            />
            <TimetableFields timetable={timetable} change={(values) => setTimetable({ ...timetable, ...values })} />
            <TextField
              label="Name"
              description="Leave it empty to name it after the scanner and the time."
              value={name}
              onChange={setName}
              field="name"
            />
          </Form>
        )}
      </Load>
    </Dialog>
  );
}
