import { useQuery } from '@tanstack/react-query';
import { criticalityNames, exposureNames } from '../../api/importance.ts';
import { memberChoicesQuery } from '../../api/pickers.ts';
import { type Option, Select, TextField } from '../../ui/fields.tsx';
import classes from './data-sources.module.css';
import type { Draft } from './draft.ts';

type Fields = Pick<Draft, 'criticality' | 'exposure' | 'owner' | 'tags'>;

const optionsOf = (names: Record<string, string>): Option[] =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** Whose a data source is and how much depends on it: due dates and priorities follow from it. */
export function ImportanceFields({ draft, change }: { draft: Fields; change: (values: Partial<Fields>) => void }) {
  const members = useQuery(memberChoicesQuery);
  const people = (members.data ?? []).map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }));
  return (
    <>
      <div className={classes.pair}>
        <Select
          label="Criticality"
          description="How much depends on it"
          value={draft.criticality}
          onChange={(value) => change({ criticality: value as Fields['criticality'] })}
          options={optionsOf(criticalityNames)}
        />
        <Select
          label="Exposure"
          description="Who can reach it"
          value={draft.exposure}
          onChange={(value) => change({ exposure: value as Fields['exposure'] })}
          options={optionsOf(exposureNames)}
        />
      </div>
      <div className={classes.pair}>
        <Select
          label="Owner"
          value={draft.owner}
          onChange={(owner) => change({ owner })}
          options={[{ value: '', label: 'Nobody' }, ...people]}
          searchable
          field="owner"
        />
        <TextField
          label="Tags"
          placeholder="payments, pci"
          value={draft.tags}
          onChange={(tags) => change({ tags })}
          field="tags"
        />
      </div>
    </>
  );
}
