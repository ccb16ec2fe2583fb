import type { FindingStatus } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { findPending, type PendingChange, usePending } from '../../api/pending-changes.ts';
import { usePreferences } from '../../api/preferences.ts';
import { isEmpty } from '../../filters/filters.ts';
import { useCommands } from '../../keys/registry.ts';
import { selectionOfAll, useSelection } from '../../list/selection.ts';
import { SelectionBar } from '../../list/selection-bar.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { useMediaQuery } from '../../ui/hooks.ts';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import { useNow } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { BulkActions, RequestBulkActions } from './actions.tsx';
import { useColumns, usualColumns } from './columns.tsx';
import { linkOf } from './copies.ts';
import { CopySelected } from './copy-menu.tsx';
import { densityOf, nextDensity, saveDensity } from './density.ts';
import { FacetRail, FoldedRail } from './facet-rail.tsx';
import { FeedNotes, NothingMatches } from './feed-notes.tsx';
import { ListHead } from './list-head.tsx';
import type { ListedFinding } from './listed-finding.ts';
import classes from './page.module.css';
import { Panel } from './panel.tsx';
import { countNew, facetsQuery, newerQuery } from './queries.ts';
import { useFindingsState } from './state.ts';
import { FindingsTable } from './table.tsx';
import { useList, useMoveCommands } from './use-list.ts';
import { useTriage } from './use-triage.tsx';
import { formatCount, plural } from './words.ts';

type NewFindingsProps = { count: number; isMore: boolean; onShow: () => void };

/** Shows the number of findings that are new since the list was loaded. */
const NewFindings = ({ count, isMore, onShow }: NewFindingsProps) =>
  count > 0 && (
    <div className={classes.notice} role="status">
      {isMore ? 'More than 100' : formatCount(count)} new
      <Button size="xs" onClick={onShow}>
        Show
      </Button>
    </div>
  );

/** Shows the number of changes that other people's decisions prevented, and steps through them. */
function Conflicts({ onReview }: { onReview: (conflict: PendingChange) => void }) {
  const conflicts = usePending().filter(({ state }) => state === 'conflict');
  const [first] = conflicts;
  if (!first) return null;
  return (
    <div className={`${classes.notice} ${classes.conflicts}`} role="status">
      {plural(conflicts.length, 'change')} not made: another person changed{' '}
      {conflicts.length === 1 ? 'the finding' : 'the findings'} meanwhile
      <Button size="xs" onClick={() => onReview(first)}>
        Review
      </Button>
    </div>
  );
}

type SelectedProps = {
  count: number;
  /** Whether all that match are selected. */
  isAll: boolean;
  /** The number of findings that match; undefined while they are counted. */
  total: number | undefined;
  /** Whether all that match can be selected instead. */
  mayExtend: boolean;
  onExtend: () => void;
  onClear: () => void;
  actions: ReactNode;
};

/** Describes the selection, with the actions on it. */
function Selected({ count, isAll, total, mayExtend, onExtend, onClear, actions }: SelectedProps) {
  if (count === 0 && !isAll) return null;
  return (
    <SelectionBar
      label={
        isAll
          ? `All ${total === undefined ? '' : `${formatCount(total)} `}matching findings selected`
          : `${plural(count, 'finding')} selected`
      }
      onClear={onClear}
    >
      {mayExtend && total !== undefined && total > count && (
        <Button size="xs" kind="quiet" onClick={onExtend}>
          {`Select all ${formatCount(total)}`}
        </Button>
      )}
      {actions}
    </SelectionBar>
  );
}

const Groups = lazy(() => import('./groups.tsx'));
const BulkHistory = lazy(() => import('./bulk-history.tsx'));
const DecideSheet = lazy(() => import('./decide-sheet.tsx'));

/** The columns beside the panel, in addition to severity and title. */
const besidePanel = (roomy: boolean) => (roomy ? ['status', 'due'] : ['status']);

/** The width from which the navigation has labels. */
const usualScreen = '(min-width: 1200px)';
/** The width up to which filters and panel don't fit beside the list at the same time. */
const tightScreen = '(max-width: 1023px)';
/** The width from which every column of the list fits beside the filters. */
const wideScreen = '(min-width: 1600px)';

/** The list of findings: filters, rows, and the open finding beside them. */
export default function FindingsPage() {
  const state = useFindingsState();
  const navigate = useNavigate();
  const selection = useSelection();
  const list = useList(state);
  const now = useNow();
  const narrow = useMediaQuery('(max-width: 599px)') ?? false;
  const tight = useMediaQuery(tightScreen) ?? false;
  const wide = useMediaQuery(wideScreen) ?? false;
  const usual = useMediaQuery(usualScreen) ?? true;
  const [rail, setRail] = useState(() => window.matchMedia(usualScreen).matches);
  const roomy = wide || (usual && !rail);
  const preferences = usePreferences();
  const density = densityOf(preferences);
  const box = useRef<HTMLInputElement>(null);
  const isOpen = state.open !== null;
  const [unfolded, setUnfolded] = useState(false);
  const folded = isOpen && (tight || (!wide && !unfolded));
  useEffect(() => {
    if (!isOpen) setUnfolded(false);
  }, [isOpen]);
  const facets = useQuery(facetsQuery(state.filters, state.loadedAt));
  const newer = useQuery(newerQuery(state.filters, state.loadedAt, list.query.isSuccess));
  const { findings, current } = list;
  const columns = useColumns(isOpen ? besidePanel(usual) : (preferences.columns ?? usualColumns(roomy)), findings);
  const newCount = countNew(newer.data?.ids, findings);
  const total = facets.data?.total;
  const selected = findings.filter(({ id }) => selection.ids.has(id));
  const [allMatch, setAllMatch] = useState(false);
  const [history, setHistory] = useState(false);
  const [selecting, setSelecting] = useState(false);
  const [deciding, setDeciding] = useState<ListedFinding | null>(null);
  const clearSelection = () => {
    setAllMatch(false);
    setSelecting(false);
    selection.clear();
  };
  const shownSelection = allMatch ? selectionOfAll(selection, findings, clearSelection) : selection;
  const reviewRow = (id: string) => {
    const pending = findPending(id);
    if (pending) triage.review(pending);
  };
  // The selection belongs to the filters under which it was made.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another list ends it
  useEffect(() => setAllMatch(false), [state.filters]);
  const triage = useTriage(
    () => (state.group !== null ? [] : selection.ids.size > 0 ? selected : current ? [current] : []),
    () => selection.ids.size === 0 && list.move(1),
    allMatch
      ? {
          filters: state.filters,
          count: total ?? findings.length,
          onDone: () => {
            clearSelection();
            state.reload();
          },
        }
      : null,
  );
  const openPage = (id: string) => void navigate({ to: `${paths.findings}/$id`, params: { id } });
  useMoveCommands({ list, state, selection: shownSelection, onOpenPage: openPage });
  useCommands([
    {
      keys: ['*'],
      label: 'Select all that match',
      section: 'Findings',
      run: () => setAllMatch(state.group === null),
    },
    { keys: ['/'], label: 'Filter findings', section: 'Findings', run: () => box.current?.focus() },
    {
      keys: ['f'],
      label: 'Show or hide the filters',
      section: 'Findings',
      run: () => setRail((shown) => !shown),
    },
    { label: 'Bulk changes', section: 'Findings', run: () => setHistory(true) },
    {
      keys: ['Ctrl+Enter'],
      label: 'Open in a new tab',
      section: 'Findings',
      run: () => current && window.open(linkOf(current), '_blank', 'noopener'),
    },
    {
      keys: ['d'],
      label: 'Change the density',
      section: 'Findings',
      run: () => saveDensity(preferences, nextDensity(density)),
    },
    {
      keys: ['y'],
      label: 'Copy a link to the finding',
      section: 'Findings',
      run: () => {
        if (!current) return;
        void navigator.clipboard.writeText(linkOf(current));
        showToast('Link copied.');
      },
    },
  ]);
  const act = useRef(triage.act);
  act.current = triage.act;
  const revert = useRef(triage.change);
  revert.current = triage.change;
  const moveList = useRef(list.move);
  moveList.current = list.move;
  const { open, setOpen } = state;
  const close = useCallback(() => setOpen(null), [setOpen]);
  // The row is marked at once. The panel follows at a lower priority and does not render for other changes.
  const shown = useDeferredValue(open) ?? open;
  const { mayChange } = triage;
  const mayAct = mayChange || triage.mayRequest;
  const decide = (finding: ListedFinding, status?: FindingStatus) =>
    status === undefined ? setDeciding(finding) : triage.act({ status }, finding);
  const panel = useMemo(
    () =>
      shown !== null && (
        <Panel
          id={shown}
          onClose={close}
          onMove={(step) => moveList.current(step)}
          onAction={mayAct ? (action) => act.current(action) : undefined}
          onRevert={mayChange ? (finding, change) => revert.current(finding, change) : undefined}
        />
      ),
    [shown, close, mayChange, mayAct],
  );
  useEffect(() => {
    document.title = 'Findings – Assay';
  }, []);
  const nothing = list.query.isSuccess && findings.length === 0;
  return (
    <div className={classes.page}>
      <ListHead
        state={state}
        facets={facets.data}
        rail={rail}
        onRail={setRail}
        onHistory={() => setHistory(true)}
        narrow={narrow}
        roomy={roomy}
        box={box}
      />
      <div className={classes.body}>
        {rail && !folded && <FacetRail filters={state.filters} loadedAt={state.loadedAt} onChange={state.setFilters} />}
        {rail && folded && !tight && <FoldedRail onUnfold={() => setUnfolded(true)} />}
        {state.group !== null && !(narrow && rail) && (
          <Suspense>
            <Groups state={state} by={state.group} now={now} />
          </Suspense>
        )}
        {state.group === null && !(narrow && rail) && (
          <div className={classes.list}>
            <NewFindings count={newCount} isMore={newer.data?.more ?? false} onShow={state.reload} />
            <Conflicts onReview={triage.review} />
            <Selected
              count={selection.ids.size}
              isAll={allMatch}
              total={total}
              mayExtend={!allMatch && mayAct}
              onExtend={() => setAllMatch(true)}
              onClear={clearSelection}
              actions={
                <>
                  {triage.mayChange && <BulkActions onAction={triage.act} />}
                  {triage.mayRequest && <RequestBulkActions onAction={triage.act} />}
                  {!allMatch && <CopySelected findings={selected} columns={columns} />}
                </>
              }
            />
            <FeedNotes filters={state.filters} columns={columns} />
            {list.query.error ? (
              <div className={classes.empty}>
                <Failure error={list.query.error} onRetry={() => void list.query.refetch()} />
              </div>
            ) : null}
            {list.query.isPending && (
              <div className={classes.empty}>
                <Skeleton rows={14} />
              </div>
            )}
            {nothing && (
              <div className={classes.empty}>
                {isEmpty(state.filters) ? (
                  <Empty title="No findings yet">
                    <p>
                      Add a data source and scan it, or upload scanner results:{' '}
                      <Link to={paths.start}>the first steps</Link>.
                    </p>
                  </Empty>
                ) : (
                  <NothingMatches filters={state.filters} onClear={() => state.setFilters({})} />
                )}
              </div>
            )}
            {findings.length > 0 && (
              <FindingsTable
                findings={findings}
                total={total}
                columns={columns}
                narrow={narrow}
                density={density}
                selection={shownSelection}
                currentId={current?.id ?? null}
                now={now}
                sort={state.sort}
                onSort={state.setSort}
                isLoadingMore={list.query.isFetching && !list.query.isPending}
                onNeedMore={list.onNeedMore}
                onOpen={({ id }) => state.setOpen(id)}
                onConflict={reviewRow}
                selecting={selecting}
                onDecide={mayAct ? decide : undefined}
                swipes={mayChange}
              />
            )}
          </div>
        )}
        {isOpen && panel}
      </div>
      {triage.dialogs}
      <Suspense>
        {history && <BulkHistory onClose={() => setHistory(false)} />}
        {deciding && (
          <DecideSheet
            finding={deciding}
            may={triage}
            onAction={(action) => triage.act(action, deciding)}
            onSelect={() => {
              setSelecting(true);
              selection.toggle(deciding.id);
            }}
            onClose={() => setDeciding(null)}
          />
        )}
      </Suspense>
    </div>
  );
}
