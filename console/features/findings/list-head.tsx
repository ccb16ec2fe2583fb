import type { FindingFacets } from '@assay/client';
import { useNavigate } from '@tanstack/react-router';
import { lazy, memo, type RefObject, Suspense, useState } from 'react';
import { useMay } from '../../api/session.ts';
import { FilterBox } from '../../filters/filter-box.tsx';
import { FilterChips } from '../../filters/filter-chips.tsx';
import { filtersAt } from '../../filters/parameters.ts';
import { nameIn, useGrammar } from '../../filters/use-grammar.ts';
import { useCommands } from '../../keys/registry.ts';
import { SearchButton } from '../../keys/search-button.tsx';
import { paths } from '../../paths.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconAdjustments, IconColumns, IconDownload, IconFilter, IconHistory, IconRefresh } from '../../ui/icons.ts';
import { Menu } from '../../ui/menu.ts';
import { showToast } from '../../ui/toasts.tsx';
import classes from './page.module.css';
import { type GroupBy, groupings, sortsFor } from './parameters.ts';
import type { FindingsState } from './state.ts';
import { ViewTabs } from './view-tabs.tsx';
import { plural } from './words.ts';

/** Switches between single findings and groups. */
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

const DisplayDialog = lazy(() => import('./display-dialog.tsx'));

function DisplayButton({ roomy }: { roomy: boolean }) {
  const [open, setOpen] = useState(false);
  useCommands([{ label: 'Choose rows and columns', section: 'Findings', run: () => setOpen(true) }]);
  return (
    <>
      <IconButton label="Rows and columns" icon={IconColumns} onClick={() => setOpen(true)} />
      <Suspense>{open && <DisplayDialog roomy={roomy} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** Exports the list as a file, a report or a link. */
function TakeMenu({ state: { filters, sort, loadedAt } }: { state: FindingsState }) {
  const navigate = useNavigate();
  const mayReport = useMay('reports:write');
  const file = (format: 'csv' | 'xlsx' | 'json') =>
    `/api/v1/findings/export?${new URLSearchParams({ ...filtersAt(filters, loadedAt), sort, format })}`;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton label="Export and share" icon={IconDownload} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={file('csv')} download>
          Export as CSV
        </Menu.Item>
        <Menu.Item component="a" href={file('xlsx')} download>
          Export as Excel workbook (XLSX)
        </Menu.Item>
        <Menu.Item component="a" href={file('json')} download>
          Export as JSON
        </Menu.Item>
        {mayReport && (
          <Menu.Item
            onClick={() => void navigate({ to: paths.reports, search: { ...filters, add: 'report' } as never })}
          >
            Make a report of this
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          onClick={() =>
            void navigator.clipboard.writeText(location.href).then(() => void showToast('Link to this list copied.'))
          }
        >
          Copy a link to this list
        </Menu.Item>
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
  /** Whether the list has room for all default columns. */
  roomy: boolean;
  box: RefObject<HTMLInputElement | null>;
};

/** All properties of the head. The open finding is not among them. */
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

/** The title, views and filters above the list. They don't render again while the person moves through the list. */
export const ListHead = memo(function ListHead(props: ListHeadProps) {
  const { state, facets, rail, onRail, onHistory, narrow, roomy, box } = props;
  const total = facets?.total;
  const [isTyping, setTyping] = useState(false);
  // On a phone, rows get the space until the person filters.
  const [tools, setTools] = useState(false);
  const grammar = useGrammar(state.filters, isTyping, facets?.facets);
  return (
    <div className={classes.top}>
      <div className={classes.titleRow}>
        <h1>Findings</h1>
        <ViewTabs state={state} />
        <span className={classes.total} role="status">
          {total !== undefined && plural(total, 'finding')}
        </span>
        {narrow && (
          <span className={classes.thumb}>
            <SearchButton />
            <IconButton
              label={tools ? 'Hide filters and order' : 'Filters and order'}
              icon={IconAdjustments}
              active={tools}
              size={44}
              onClick={() => setTools(!tools)}
            />
          </span>
        )}
      </div>
      {/* Hidden instead of removed: a text that is being typed survives turning the phone. */}
      <div style={{ display: narrow && !tools ? 'none' : 'contents' }}>
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
          {!narrow && <DisplayButton roomy={roomy} />}
          {state.group === null && <TakeMenu state={state} />}
          <IconButton label="Reload the list" icon={IconRefresh} onClick={state.reload} />
          <IconButton label="Bulk changes" icon={IconHistory} onClick={onHistory} />
        </FilterBox>
      </div>
      <FilterChips filters={state.filters} nameOf={nameIn(grammar)} onChange={state.setFilters} />
    </div>
  );
}, showsSame);
