import type { FindingFacets } from '@assay/client';
import { memo, type RefObject, useState } from 'react';
import { FilterBox } from '../../filters/filter-box.tsx';
import { FilterChips } from '../../filters/filter-chips.tsx';
import { nameIn, useGrammar } from '../../filters/use-grammar.ts';
import { IconButton } from '../../ui/button.tsx';
import { IconFilter, IconHistory, IconRefresh } from '../../ui/icons.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { GroupSelect } from './group-select.tsx';
import classes from './page.module.css';
import { sortsFor } from './parameters.ts';
import type { FindingsState } from './state.ts';
import { ViewTabs } from './view-tabs.tsx';
import { formatCount, plural } from './words.ts';

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
        <span className={classes.total} role="status">
          {total !== undefined && `${facets?.approximate ? 'about ' : ''}${plural(total, 'finding')}`}
          {facets?.approximate && ` (± ${formatCount(facets.margin)})`}
        </span>
      </div>
      <ViewTabs state={state} />
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
        {!narrow && <ColumnsMenu roomy={roomy} />}
        <IconButton label="Reload the list" icon={IconRefresh} onClick={state.reload} />
        <IconButton label="Bulk changes" icon={IconHistory} onClick={onHistory} />
      </FilterBox>
      <FilterChips filters={state.filters} nameOf={nameIn(grammar)} onChange={state.setFilters} />
    </div>
  );
}, showsSame);
