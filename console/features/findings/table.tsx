import type { FindingStatus } from '@assay/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, memo, useEffect, useRef } from 'react';
import { Check, CheckAll } from '../../list/check.tsx';
import type { Selection } from '../../list/selection.ts';
import { Card, swipedTo } from './card.tsx';
import type { FindingColumn } from './columns.tsx';
import { linkOf } from './copies.ts';
import type { ListedFinding } from './listed-finding.ts';
import { sortsBy } from './parameters.ts';
import classes from './table.module.css';
import { useSwipe } from './use-swipe.ts';

type HeadProps = {
  columns: FindingColumn[];
  template: string;
  order: readonly string[];
  selection: Selection;
  sort: string;
  onSort: (sort: string) => void;
};

/** The headings of the columns. Headings that can order the list are buttons. */
function TableHead({ columns, template, order, selection, sort, onSort }: HeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: template }}>
      <span role="columnheader">
        <CheckAll order={order} selection={selection} />
      </span>
      {columns.map(({ id, title, field = id }) => {
        const sorts = sortsBy(field);
        const current = sorts.indexOf(sort);
        const next = sorts[(current + 1) % Math.max(sorts.length, 1)];
        const direction = current < 0 ? undefined : sort.startsWith('-') ? 'descending' : 'ascending';
        return (
          <span key={id} role="columnheader" aria-sort={direction}>
            {next === undefined ? (
              title
            ) : (
              <button type="button" className={classes.sort} onClick={() => onSort(next)}>
                {title}
                {direction && <span aria-hidden="true">{direction === 'descending' ? ' ↓' : ' ↑'}</span>}
              </button>
            )}
          </span>
        );
      })}
    </div>
  );
}

type RowProps = {
  finding: ListedFinding;
  index: number;
  top: number;
  height: number;
  columns: FindingColumn[] | null;
  template: string;
  selected: boolean;
  current: boolean;
  now: number;
  /** Whether a phone shows the row's checkbox. */
  selecting: boolean;
  mayDecide: boolean;
  /** Measures rows whose height depends on their title. */
  measure: ((row: HTMLElement | null) => void) | undefined;
};

/** A row without event handlers, so that moving through the list renders only the two rows that change. */
const Row = memo(function Row(props: RowProps) {
  const { finding, columns, selected, current, now } = props;
  const cells = columns ? (
    columns.map(({ id, cell }) => (
      <span key={id} role="gridcell" className={classes.cell}>
        {cell(finding, now)}
      </span>
    ))
  ) : (
    <span role="gridcell" className={classes.phone}>
      <Card finding={finding} now={now} mayDecide={props.mayDecide && !props.selecting} />
    </span>
  );
  return (
    <div
      ref={props.measure}
      data-index={props.index}
      role="row"
      id={`row-${finding.id}`}
      aria-rowindex={props.index + 2}
      aria-selected={selected}
      tabIndex={-1}
      data-current={current}
      className={`${classes.row} ${columns ? '' : classes.phoneRow}`}
      style={{ top: props.top, height: columns ? props.height : undefined, gridTemplateColumns: props.template }}
    >
      {(columns || props.selecting) && (
        <span role="gridcell">
          <Check label={`Select ${finding.title}`} checked={selected} tabIndex={-1} />
        </span>
      )}
      {cells}
    </div>
  );
});

type TableProps = {
  findings: ListedFinding[];
  /** The total number of findings; undefined while it is counted. */
  total: number | undefined;
  columns: FindingColumn[];
  narrow: boolean;
  density: RowDensity;
  selection: Selection;
  currentId: string | null;
  now: number;
  sort: string;
  onSort: (sort: string) => void;
  isLoadingMore: boolean;
  onNeedMore: () => void;
  onOpen: (finding: ListedFinding) => void;
  /** Shows why a change of a finding was not applied. */
  onConflict: (id: string) => void;
  /** Whether a phone shows the selection checkboxes. */
  selecting: boolean;
  /**
   * Absent for people who neither decide nor request. On a phone: decides on one finding, or offers all decisions if no
   * status is passed.
   */
  onDecide: ((finding: ListedFinding, status?: FindingStatus) => void) | undefined;
  /** Whether swiping a row on a phone sets a status. */
  swipes: boolean;
};

export type RowDensity = 'comfortable' | 'compact' | 'two_lines';

/** The heights of rows in pixels. */
const heights: Record<RowDensity, number> = { comfortable: 36, compact: 32, two_lines: 44 };

/** The height of the headings, which cover the top of the rows. */
const headHeight = 32;

/** The height of a card with a one-line title on a phone. */
const cardHeight = 64;

/** The list of findings: only visible rows are in the DOM. */
export function FindingsTable(props: TableProps) {
  const { findings, narrow, selection, currentId } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const height = narrow ? cardHeight : heights[props.density];
  const above = narrow ? 0 : headHeight;
  const virtualizer = useVirtualizer({
    count: findings.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: above,
    scrollPaddingStart: above,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { onNeedMore } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height needs new measures
  useEffect(() => virtualizer.measure(), [virtualizer, height]);
  useEffect(() => {
    if (findings.length > 0 && last >= findings.length - 60) onNeedMore();
  }, [last, findings.length, onNeedMore]);
  const currentIndex = currentId === null ? -1 : findings.findIndex(({ id }) => id === currentId);
  useEffect(() => {
    if (currentIndex < 0) return;
    virtualizer.scrollToIndex(currentIndex, { align: 'auto' });
    // The grid itself has the focus for its current row, so that a closed dialog returns to that row.
    const { activeElement } = document;
    if (activeElement === document.body || scroller.current?.contains(activeElement)) scroller.current?.focus();
  }, [virtualizer, currentIndex]);
  const boxes = props.selecting ? '40px ' : '';
  const template = narrow ? `${boxes}minmax(0, 1fr)` : `24px ${props.columns.map(({ width }) => width).join(' ')}`;
  const order = findings.map(({ id }) => id);
  const findingAt = (target: HTMLElement) => {
    const id = target.closest('[role="row"]')?.id.slice('row-'.length);
    return findings.find((other) => other.id === id);
  };
  const onAuxClick = (event: MouseEvent) => {
    const finding = event.button === 1 ? findingAt(event.target as HTMLElement) : undefined;
    if (finding) window.open(linkOf(finding), '_blank', 'noopener');
  };
  const { onDecide } = props;
  const { wasSwiped, handlers } = useSwipe(narrow && props.swipes && !props.selecting, (row, side) => {
    const finding = findingAt(row);
    if (finding) onDecide?.(finding, swipedTo(finding.status, side));
  });
  const onClick = (event: MouseEvent) => {
    const target = event.target as HTMLElement;
    const finding = findingAt(target);
    if (!finding || wasSwiped(event.timeStamp)) return;
    if (target.closest('[data-menu]')) {
      onDecide?.(finding);
      return;
    }
    if (target.closest('[data-conflict]')) {
      props.onConflict(finding.id);
      return;
    }
    const box = target.closest('[data-check]');
    if (event.shiftKey) selection.extendTo(finding.id, order);
    else if (box || (narrow && props.selecting) || event.ctrlKey || event.metaKey) selection.toggle(finding.id);
    else props.onOpen(finding);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are registered for the whole page
    <div
      ref={scroller}
      onClick={onClick}
      onAuxClick={onAuxClick}
      {...handlers}
      data-density={narrow ? undefined : props.density}
      role="grid"
      aria-label="Findings"
      aria-multiselectable="true"
      data-focus-home
      aria-rowcount={props.total === undefined ? -1 : props.total + 1}
      aria-activedescendant={currentIndex >= 0 ? `row-${currentId}` : undefined}
      tabIndex={0}
      className={classes.grid}
    >
      {!narrow && (
        <TableHead
          columns={props.columns}
          template={template}
          order={order}
          selection={selection}
          sort={props.sort}
          onSort={props.onSort}
        />
      )}
      <div role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const finding = findings[index]!;
          return (
            <Row
              key={finding.id}
              finding={finding}
              index={index}
              top={start - above}
              height={height}
              columns={narrow ? null : props.columns}
              template={template}
              selected={selection.ids.has(finding.id)}
              current={finding.id === currentId}
              now={props.now}
              selecting={props.selecting}
              mayDecide={onDecide !== undefined}
              measure={narrow ? virtualizer.measureElement : undefined}
            />
          );
        })}
      </div>
      {props.isLoadingMore && (
        <div role="status" className={classes.loading}>
          Loading more …
        </div>
      )}
    </div>
  );
}
