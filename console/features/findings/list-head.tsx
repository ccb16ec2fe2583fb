import type { FindingFacets } from '@assay/client';
import { memo, type RefObject, useState } from 'react';
import { savePreferences, usePreferences } from '../../api/preferences.ts';
import { FilterBox } from '../../filters/filter-box.tsx';
import { FilterChips } from '../../filters/filter-chips.tsx';
import { nameIn, useGrammar } from '../../filters/use-grammar.ts';
import { useCommands } from '../../keys/registry.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconCheck, IconColumns, IconFilter, IconHistory, IconRefresh } from '../../ui/icons.ts';
import { Menu } from '../../ui/menu.ts';
import { showError } from '../../ui/toasts.tsx';
import { columns, usualColumns } from './columns.tsx';
import classes from './page.module.css';
import { type GroupBy, groupings, sortsFor } from './parameters.ts';
import type { FindingsState } from './state.ts';
import { ViewTabs } from './view-tabs.tsx';
import { formatCount, plural } from './words.ts';

/** Chooses whether findings are listed one by one or in groups. */
function GroupSelect({ state }: { state: FindingsState }) {
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

/** Which columns the list shows: kept for the person, on every device. `roomy`: whether all usual ones have room. */
function ColumnsMenu({ roomy }: { roomy: boolean }) {
  const preferences = usePreferences();
  const chosen = new Set(preferences.columns ?? usualColumns(roomy));
  const toggle = (id: string) => {
    const next = columns.map((column) => column.id).filter((one) => (one === id ? !chosen.has(id) : chosen.has(one)));
    savePreferences({ columns: next }).catch(showError);
  };
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <IconButton label="Columns" icon={IconColumns} />
      </Menu.Target>
      <Menu.Dropdown>
        {columns
          .filter(({ id }) => id !== 'title' && id !== 'severity')
          .map(({ id, title }) => (
            <Menu.Item
              key={id}
              role="menuitemcheckbox"
              aria-checked={chosen.has(id)}
              leftSection={chosen.has(id) ? <IconCheck size={16} aria-hidden /> : <span />}
              onClick={() => toggle(id)}
            >
              {title}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item onClick={() => savePreferences({ columns: null }).catch(showError)}>Default columns</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

type ListHeadProps = {
  state: FindingsState;
  facets: FindingFacets | undefined;
  /** Whether the filters are shown beside the list. */
  rail: boolean;
  onRail: (shown: boolean) => void;
  /** Shows the latest bulk changes. */
  onHistory: () => void;
  narrow: boolean;
  /** Whether the list has room for all usual columns. */
  roomy: boolean;
  box: RefObject<HTMLInputElement | null>;
};

/** Everything that the head shows; which finding is open is not part of it. */
const shownBy = ({ state, facets, rail, narrow, roomy }: ListHeadProps) => [
  state.filters,
  state.sort,
  state.view,
  state.group,
  state.loadedAt,
  facets,
  rail,
  narrow,
  roomy,
];

const showsSame = (old: ListHeadProps, next: ListHeadProps): boolean => {
  const shown = shownBy(next);
  return shownBy(old).every((value, index) => value === shown[index]);
};

const OrderSelect = ({ state }: Pick<ListHeadProps, 'state'>) => (
  <select
    aria-label="Order"
    className={classes.select}
    value={state.sort}
    disabled={state.group !== null}
    onChange={(event) => state.setSort(event.currentTarget.value)}
  >
    {sortsFor(state.filters).map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
);

/** The title, views and filters above the list. They are not drawn again while one moves through the list. */
export const ListHead = memo(function ListHead(props: ListHeadProps) {
  const { state, facets, rail, onRail, onHistory, narrow, roomy, box } = props;
  const total = facets?.total;
  const [isTyping, setTyping] = useState(false);
  const grammar = useGrammar(state.filters, isTyping, facets?.facets);
  return (
    <div className={classes.top}>
      <div className={classes.titleRow}>
        <h1>Findings</h1>
        <ViewTabs state={state} />
        <span className={classes.total} role="status">
          {total !== undefined && `${facets?.approximate ? 'about ' : ''}${plural(total, 'finding')}`}
          {facets?.approximate && ` (± ${formatCount(facets.margin)})`}
        </span>
      </div>
      <FilterBox
        label="Filter findings"
        filters={state.filters}
        onChange={state.setFilters}
        grammar={grammar}
        onOpen={setTyping}
        now={state.loadedAt}
        box={box}
      >
        <IconButton
          label={rail ? 'Hide filters' : 'Show filters'}
          hint="f"
          icon={IconFilter}
          active={rail}
          onClick={() => onRail(!rail)}
        />
        <GroupSelect state={state} />
        <OrderSelect state={state} />
        {!narrow && <ColumnsMenu roomy={roomy} />}
        <IconButton label="Reload the list" icon={IconRefresh} onClick={state.reload} />
        <IconButton label="Bulk changes" icon={IconHistory} onClick={onHistory} />
      </FilterBox>
      <FilterChips filters={state.filters} nameOf={nameIn(grammar)} onChange={state.setFilters} />
    </div>
  );
}, showsSame);
