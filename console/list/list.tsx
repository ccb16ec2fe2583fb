import { lazy, type ReactNode, Suspense, useState } from 'react';
import { savePreferences, usePreferences } from '../api/preferences.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { IconColumns } from '../ui/icons.ts';
import { Empty, Load } from '../ui/states.tsx';
import { showError } from '../ui/toasts.tsx';
import { Check, CheckAll } from './check.tsx';
import { ExportMenu } from './export-menu.tsx';
import classes from './list.module.css';
import { More } from './more.tsx';
import { type Selection, useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';

export type ListColumn<T> = {
  title: string;
  cell: (row: T) => ReactNode;
  /** The value in a file; without it, files omit the column. */
  text?: (row: T) => string | number;
  /** The value that orders rows; without it, the heading is not a button. */
  by?: (row: T) => string | number;
  /** The order of the server by this column, ascending: it covers all rows, also those that are not loaded. */
  sort?: string;
  /** The width, such as `120px`; the first column takes the remaining space. */
  width?: string;
  isNumber?: boolean;
  /** Whether no row has a value: the column is then shown only to people who chose it. */
  isEmpty?: boolean;
  /** Whether the column has buttons with their own names: its title is then only for screen readers. */
  isActions?: boolean;
  /** The width of the list below which the column is hidden: 1 means 1100 px, 2 means 860. */
  gives?: 1 | 2;
  /** Its place on a phone, where it is left out otherwise: at the end of the first line, or in the second one, there also at its end. */
  phone?: 'end' | 'line' | 'named line' | 'line end';
};

type Query<T> = {
  data: T[] | undefined;
  error: unknown;
  refetch: () => unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => unknown;
};

type Order = { title: string; isDescending: boolean };

/** An order of the server, such as `name` or `-name`; null for its usual one. */
type ServerSort = { value: string | null; onChange: (value: string) => void };

type ListProps<T> = {
  label: string;
  /** The name under which a person's columns are stored, and the name of exported files. */
  name: string;
  query: Query<T>;
  columns: ListColumn<T>[];
  idOf: (row: T) => string;
  /** The fields that filter the list. */
  filters?: ReactNode;
  /** Clears all filters; null while none is set. */
  onClear?: (() => void) | null;
  /** Shown while the list is empty. */
  empty: ReactNode;
  /** The title when no row matches the filters. */
  noMatch?: string;
  /** Further buttons at the end of the bar. */
  tools?: ReactNode;
  /** The address of a CSV with all rows that match; without it, a CSV has the loaded rows. */
  allAsCsv?: string;
  /** The order in which the server returns the rows. */
  sort?: ServerSort;
  /** Actions on the selected rows. */
  actions?: ((rows: T[], clear: () => void) => ReactNode) | false;
};

const ColumnDialog = lazy(() => import('./column-dialog.tsx'));

/** The shown and hidden columns of a list, in the person's order. The first column and buttons are always shown. */
function useChosenColumns<T>(name: string, columns: ListColumn<T>[]) {
  const { custom } = usePreferences();
  const key = `${name}.columns`;
  const kept = custom[key];
  const chooseable = columns.slice(1).filter(({ isActions }) => !isActions);
  const ids = Array.isArray(kept)
    ? kept.map(String)
    : chooseable.filter(({ isEmpty }) => !isEmpty).map(({ title }) => title);
  const place = ({ title }: ListColumn<T>) => (ids.includes(title) ? ids.indexOf(title) : ids.length);
  const ordered = chooseable.toSorted((a, b) => place(a) - place(b));
  const save = (next: string[] | null) => {
    const { [key]: _, ...rest } = custom;
    savePreferences({ custom: next === null ? rest : { ...rest, [key]: next } }).catch(showError);
  };
  const shown = ordered.filter(({ title }) => ids.includes(title));
  return {
    shown: [...columns.slice(0, 1), ...shown, ...columns.filter(({ isActions }) => isActions)],
    ordered: ordered.map(({ title }) => ({ id: title, title })),
    ids,
    save,
  };
}

/** Sorts the rows; equal rows keep their order. */
function inOrder<T>(rows: readonly T[], columns: ListColumn<T>[], order: Order | null): readonly T[] {
  const by = order && columns.find(({ title }) => title === order.title)?.by;
  if (!by) return rows;
  const direction = order.isDescending ? -1 : 1;
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
  return rows.toSorted((a, b) => direction * compare(by(a), by(b)));
}

const classOf = <T,>({ isNumber, gives, isActions }: ListColumn<T>, isFirst: boolean) =>
  [isNumber && classes.number, gives && classes[`gives${gives}`], isActions && classes.buttons, isFirst && classes.main]
    .filter(Boolean)
    .join(' ');

/**
 * The order of a list, and the function that changes it by a column. The server orders all rows; the console orders
 * rows only once all of them are loaded, so that an order is never that of the loaded ones alone.
 */
function useOrder<T>(columns: ListColumn<T>[], isWhole: boolean, server: ServerSort | undefined) {
  const [own, setOwn] = useState<Order | null>(null);
  const key = server?.value?.replace('-', '');
  const byServer = columns.find(({ sort }) => sort !== undefined && sort === key);
  const ofServer = byServer && { title: byServer.title, isDescending: server!.value!.startsWith('-') };
  const order = (isWhole ? own : null) ?? ofServer ?? null;
  const sorterOf = ({ title, sort, by }: ListColumn<T>) => {
    const isDescending = order?.title === title && !order.isDescending;
    if (sort !== undefined && server)
      return () => {
        setOwn(null);
        server.onChange(isDescending ? `-${sort}` : sort);
      };
    return by && isWhole ? () => setOwn({ title, isDescending }) : undefined;
  };
  return { own: isWhole ? own : null, order, sorterOf };
}

type SorterOf<T> = (column: ListColumn<T>) => (() => void) | undefined;

type HeadProps<T> = {
  columns: ListColumn<T>[];
  order: Order | null;
  sorterOf: SorterOf<T>;
  selectAll: ReactNode;
};

function Head<T>({ columns, order, sorterOf, selectAll }: HeadProps<T>) {
  return (
    <thead>
      <tr>
        {selectAll && <th className={classes.select}>{selectAll}</th>}
        {columns.map((column, index) => {
          const { title, width, isActions } = column;
          const onSort = isActions ? undefined : sorterOf(column);
          const isCurrent = order?.title === title;
          const isDescending = isCurrent && order.isDescending;
          return (
            <th
              key={title}
              scope="col"
              className={classOf(column, index === 0)}
              style={{ width }}
              aria-sort={isCurrent ? (isDescending ? 'descending' : 'ascending') : undefined}
            >
              {isActions && <span className="visually-hidden">{title}</span>}
              {onSort && (
                <button type="button" onClick={onSort}>
                  {title}
                  {isCurrent && <span aria-hidden>{isDescending ? ' ↓' : ' ↑'}</span>}
                </button>
              )}
              {!isActions && !onSort && title}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

type RowsProps<T> = {
  label: string;
  columns: ListColumn<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  order: Order | null;
  sorterOf: SorterOf<T>;
  selection: Selection | null;
};

function Rows<T>({ label, columns, rows, idOf, order, sorterOf, selection }: RowsProps<T>) {
  const ids = rows.map(idOf);
  return (
    <table className={classes.table} aria-label={label}>
      <Head
        columns={columns}
        order={order}
        sorterOf={sorterOf}
        selectAll={selection && <CheckAll order={ids} selection={selection} />}
      />
      <tbody>
        {rows.map((row, index) => {
          const id = ids[index]!;
          const isSelected = selection?.ids.has(id) ?? false;
          return (
            <tr key={id} data-selected={isSelected || undefined}>
              {selection && (
                // biome-ignore lint/a11y/useKeyWithClickEvents: Space on the box within is a click
                <td
                  className={classes.select}
                  onClick={({ shiftKey }) => (shiftKey ? selection.extendTo(id, ids) : selection.toggle(id))}
                >
                  <Check label={`Select ${columns[0]?.text?.(row) ?? index + 1}`} checked={isSelected} />
                </td>
              )}
              {columns.map((column, place) => (
                <td
                  key={column.title}
                  className={classOf(column, place === 0)}
                  data-phone={place === 0 || column.isActions ? undefined : (column.phone ?? 'none')}
                  data-label={column.title}
                >
                  <div>{column.cell(row)}</div>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The columns to choose from, if there are more than five. */
const fewColumns = 5;

/**
 * A list that is a page, or a tab of one: filters, columns and export in one bar, rows of one line, and the next step
 * while it is empty.
 */
export function List<T>(props: ListProps<T>) {
  const { label, name, query, idOf, filters, onClear = null, actions } = props;
  const [choosing, setChoosing] = useState(false);
  const selection = useSelection();
  const { shown, ordered, ids, save } = useChosenColumns(name, props.columns);
  const isWhole = !query.hasNextPage;
  const { own, order, sorterOf } = useOrder(props.columns, isWhole, props.sort);
  const rows = inOrder(query.data ?? [], props.columns, own);
  const selected = rows.filter((row) => selection.ids.has(idOf(row)));
  const isSortable = rows.length > 1;
  const isEmpty = query.data?.length === 0;
  const inFile = shown.flatMap(({ title, text }) => (text ? [{ title, text }] : []));
  const hasBar = !(isEmpty && !onClear);
  return (
    <div className={classes.list} data-list>
      {hasBar && (
        <div className={classes.bar}>
          {filters && (
            <search aria-label={`Filters of ${label}`} className={classes.filters}>
              {filters}
            </search>
          )}
          <span className={classes.tools}>
            {query.data && (
              <span className={classes.count} role="status">
                {rows.length.toLocaleString('en')} {isWhole ? 'shown' : 'loaded'}
              </span>
            )}
            {props.columns.length > fewColumns && (
              <span className={classes.choose}>
                <IconButton label="Columns" icon={IconColumns} onClick={() => setChoosing(true)} />
              </span>
            )}
            {props.tools}
            {rows.length > 0 && (
              <ExportMenu name={name} label={label} columns={inFile} rows={rows} allAsCsv={props.allAsCsv} />
            )}
          </span>
        </div>
      )}
      <Load query={query} rows={10}>
        {() =>
          isEmpty ? (
            onClear ? (
              <Empty title={props.noMatch ?? 'Nothing matches these filters'}>
                <Button onClick={onClear}>Clear filters</Button>
              </Empty>
            ) : (
              props.empty
            )
          ) : (
            <Rows
              label={label}
              columns={shown}
              rows={rows}
              idOf={idOf}
              order={order}
              sorterOf={isSortable ? sorterOf : () => undefined}
              selection={actions ? selection : null}
            />
          )
        }
      </Load>
      <More query={query} />
      {actions && selected.length > 0 && (
        <SelectionBar label={`${selected.length} selected`} floats onClear={selection.clear}>
          {actions(selected, selection.clear)}
        </SelectionBar>
      )}
      <Suspense>
        {choosing && <ColumnDialog columns={ordered} chosen={ids} onChange={save} onClose={() => setChoosing(false)} />}
      </Suspense>
    </div>
  );
}
