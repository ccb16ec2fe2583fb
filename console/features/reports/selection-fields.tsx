import type { ReportCreation } from '@assay/client';
import { MultiSelect, TextField } from '../../ui/fields.tsx';
import { Failure } from '../../ui/states.tsx';
import { plural, severities, severityNames, statuses, statusNames } from '../findings/words.ts';
import { useCount, useNames } from './queries.ts';
import classes from './reports.module.css';
import type { Selection } from './selection.ts';

type FieldsProps = {
  selection: Selection;
  change: (values: Partial<Selection>) => void;
  filters: NonNullable<ReportCreation['filters']>;
};

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));

function Count({ filters }: { filters: FieldsProps['filters'] }) {
  const { data, error, isPlaceholderData } = useCount(filters);
  if (error) return <Failure error={error} />;
  return (
    <p className={classes.count} role="status" aria-busy={isPlaceholderData}>
      {data ? `${data.approximate ? 'About ' : ''}${plural(data.total, 'finding')}` : 'Counting …'}
    </p>
  );
}

/** Which findings a report covers, and how many those are now. */
export function SelectionFields({ selection, change, filters }: FieldsProps) {
  const names = useNames();
  return (
    <>
      <div className={classes.row}>
        <MultiSelect
          label="Severity"
          placeholder={selection.severity.length === 0 ? 'All' : ''}
          value={selection.severity}
          onChange={(severity) => change({ severity })}
          options={severities.map((value) => ({ value, label: severityNames[value] }))}
        />
        <MultiSelect
          label="Status"
          placeholder={selection.status.length === 0 ? 'All' : ''}
          value={selection.status}
          onChange={(status) => change({ status })}
          options={statuses.map((value) => ({ value, label: statusNames[value] }))}
        />
        <MultiSelect
          label="Scanner"
          searchable
          placeholder={selection.source.length === 0 ? 'All' : ''}
          value={selection.source}
          onChange={(source) => change({ source })}
          options={optionsOf(names.sources)}
        />
        <MultiSelect
          label="Data source"
          searchable
          placeholder={selection.data_source.length === 0 ? 'All' : ''}
          value={selection.data_source}
          onChange={(data_source) => change({ data_source })}
          options={optionsOf(names.dataSources)}
        />
        <TextField label="First seen from" type="date" value={selection.from} onChange={(from) => change({ from })} />
        <TextField label="First seen until" type="date" value={selection.to} onChange={(to) => change({ to })} />
      </div>
      <Count filters={filters} />
    </>
  );
}
