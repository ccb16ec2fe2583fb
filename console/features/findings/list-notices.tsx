import type { ReactNode } from 'react';
import { type UnmadeChange, useUnmade } from '../../api/unmade-changes.ts';
import { Button } from '../../ui/button.tsx';
import classes from './page.module.css';
import { formatCount, plural } from './words.ts';

type NewFindingsProps = { count: number; isMore: boolean; onShow: () => void };

/** Says how many findings are new since the list was loaded. */
export const NewFindings = ({ count, isMore, onShow }: NewFindingsProps) =>
  count > 0 && (
    <div className={classes.notice} role="status">
      {isMore ? 'More than 100' : formatCount(count)} new
      <Button size="xs" onClick={onShow}>
        Show
      </Button>
    </div>
  );

/** Says how many changes were not made because of other people's decisions, and shows them one after the other. */
export function Conflicts({ onReview }: { onReview: (conflict: UnmadeChange) => void }) {
  const conflicts = useUnmade().filter(({ state }) => state === 'conflict');
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

/** Says what is selected, with what can be done about it. */
export function Selected({ count, isAll, total, mayExtend, onExtend, onClear, actions }: SelectedProps) {
  if (count === 0 && !isAll) return null;
  return (
    <div className={classes.notice}>
      <strong>
        {isAll
          ? `All ${total === undefined ? '' : `${formatCount(total)} `}matching findings selected`
          : `${plural(count, 'finding')} selected`}
      </strong>
      {mayExtend && total !== undefined && total > count && (
        <Button size="xs" kind="quiet" onClick={onExtend}>
          {`Select all ${formatCount(total)}`}
        </Button>
      )}
      {actions}
      <Button size="xs" kind="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
