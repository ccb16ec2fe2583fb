import type { DetectionSource, ScanSchedule } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataSourceChoicesQuery, detectionSourcesQuery } from '../../api/pickers.ts';
import { MultiSelect } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Load, Note } from '../../ui/states.tsx';
import { plural } from '../findings/words.ts';
import { useSaveSchedule } from './queries.ts';
import { coveredNow, isReady, scannersOf } from './scope.ts';
import { cronOf, newTimetable, scheduleName, timetableOf } from './timetable.ts';
import { TimetableFields } from './timetable-fields.tsx';

const orNull = (values: string[]) => (values.length === 0 ? null : values);

/** The scanners, data sources and tags of a form, as the API takes them. */
function useScope(schedule: ScanSchedule | null) {
  const [sources, setSources] = useState<string[]>(schedule?.sources ?? []);
  const [targets, setTargets] = useState<string[]>(schedule?.data_sources ?? []);
  const [tags, setTags] = useState<string[]>(schedule?.data_source_tags ?? []);
  // Its data sources were deleted: it must not scan all of them because something else is changed.
  const isLost = schedule?.data_sources?.length === 0 && targets.length === 0 && tags.length === 0;
  return {
    fields: { sources, setSources, targets, setTargets, tags, setTags },
    isLost,
    scope: { sources: orNull(sources), data_sources: orNull(targets), data_source_tags: orNull(tags) },
  };
}

type Choices = ReturnType<typeof useScope> & { scanners: DetectionSource[] };

function ScopeFields({ fields, scope, isLost, scanners }: Choices) {
  const { data: places = [] } = useQuery(dataSourceChoicesQuery);
  const { sources, setSources, targets, setTargets, tags, setTags } = fields;
  const chosen = scanners.filter(({ type }) => sources.includes(type));
  const fitting = places.filter(
    ({ kind, id }) =>
      chosen.length === 0 || targets.includes(id) || chosen.some((scanner) => scanner.data_source_kinds.includes(kind)),
  );
  const known = [...new Set([...tags, ...places.flatMap((place) => place.tags)])].sort();
  const { total, scanners: rows } = coveredNow(scope, scanners, places);
  return (
    <>
      <MultiSelect
        label="Scanners"
        description="Leave empty for all that can run."
        searchable
        value={sources}
        onChange={setSources}
        options={scanners
          .filter((scanner) => isReady(scanner) || sources.includes(scanner.type))
          .map(({ type, name: label }) => ({ value: type, label }))}
        field="sources"
      />
      {known.length > 0 && (
        <MultiSelect
          label="Data sources with a tag"
          description="A data source that gets the tag later is scanned from the next run on."
          searchable
          value={tags}
          onChange={setTags}
          options={known.map((tag) => ({ value: tag, label: tag }))}
          field="data_source_tags"
        />
      )}
      <MultiSelect
        label="Data sources"
        description={
          tags.length === 0
            ? 'Leave empty for all that the scanners support, including ones added later.'
            : 'Scanned as well, whatever their tags.'
        }
        searchable
        value={targets}
        onChange={setTargets}
        options={fitting.map(({ id, name: label }) => ({ value: id, label }))}
        field="data_sources"
      />
      {isLost ? (
        <Note kind="warning">Its data sources were deleted. Choose others.</Note>
      ) : (
        places.length > 0 && (
          <Note kind={total === 0 ? 'warning' : 'plain'}>
            {total === 0
              ? 'Nothing to scan now: the scanners support none of these data sources.'
              : `Covers ${plural(total, 'data source')} now: ${rows.map(({ name, count }) => `${name} ${count}`).join(', ')}.`}
          </Note>
        )
      )}
    </>
  );
}

/** Creates or changes a schedule. */
export function ScheduleDialog({ schedule, onClose }: { schedule: ScanSchedule | null; onClose: () => void }) {
  const [name, setName] = useState(schedule?.name ?? '');
  const chosen = useScope(schedule);
  const [timetable, setTimetable] = useState(() =>
    schedule ? timetableOf(schedule.cron, schedule.timezone) : newTimetable(),
  );
  const query = useQuery(detectionSourcesQuery);
  // The dialog has a field of tags if any data source has one.
  const places = useQuery(dataSourceChoicesQuery);
  const save = useSaveSchedule(schedule?.id ?? null, onClose);
  const nameOf = (type: string) => query.data?.find((scanner) => scanner.type === type)?.name ?? type;
  const send = () =>
    save.mutate({
      name: name.trim() || scheduleName(scannersOf(chosen.scope, nameOf), cronOf(timetable)),
      ...chosen.scope,
      cron: cronOf(timetable),
      timezone: timetable.timezone,
    });
  return (
    <Dialog title={schedule ? `Edit ${schedule.name}` : 'Add a schedule'} onClose={onClose} size="lg" tall>
      <Load query={places.isPending ? { ...query, data: undefined } : query}>
        {(scanners) => (
          <Form
            submit={schedule ? 'Save' : 'Add'}
            loading={save.isPending}
            error={save.error}
            disabledReason={chosen.isLost ? 'Choose data sources.' : null}
            onSubmit={send}
            onCancel={onClose}
          >
            <ScopeFields {...chosen} scanners={scanners} />
            <TimetableFields timetable={timetable} change={(values) => setTimetable({ ...timetable, ...values })} />
            <TextField
              label="Name"
              description="Leave empty to name it after the scanners and the time."
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
