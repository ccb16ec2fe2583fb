import { useCommands } from '../../keys/registry.ts';
import classes from './page.module.css';
import { type GroupBy, groupings } from './parameters.ts';
import type { FindingsState } from './state.ts';

/** Chooses whether findings are listed one by one or in groups. */
export function GroupSelect({ state }: { state: FindingsState }) {
  const { group, setGroup } = state;
  useCommands([
    ...groupings.map(({ by, name }) => ({
      label: `Group by ${name}`,
      section: 'Findings',
      run: () => setGroup(by),
    })),
    { label: 'List findings one by one', section: 'Findings', run: () => setGroup(null) },
  ]);
  return (
    <select
      aria-label="Group by"
      className={classes.select}
      value={group ?? ''}
      onChange={(event) => setGroup((event.currentTarget.value || null) as GroupBy | null)}
    >
      <option value="">No groups</option>
      {groupings.map(({ by, name }) => (
        <option key={by} value={by}>
          By {name}
        </option>
      ))}
    </select>
  );
}
