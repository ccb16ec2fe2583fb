import type { FindingGroup } from '@assay/client';
import type { KeyboardEvent } from 'react';
import { useRef } from 'react';
import { usePages } from '../../api/pages.ts';
import { useCommands } from '../../keys/registry.ts';
import { More } from '../../list/more.tsx';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import classes from './groups.module.css';
import { SeverityShape } from './marks.tsx';
import { type GroupBy, groupings } from './parameters.ts';
import { groupPages } from './queries.ts';
import type { FindingsState } from './state.ts';
import { formatCount, plural, severities, severityNames } from './words.ts';

const nameOf = (group: GroupBy) => groupings.find(({ by }) => by === group)?.name;

function Counts({ group }: { group: FindingGroup }) {
  return (
    <span className={classes.counts}>
      {severities
        .filter((severity) => group.by_severity[severity] > 0)
        .map((severity) => (
          <span key={severity} className={classes.count} title={severityNames[severity]}>
            <SeverityShape severity={severity} />
            {formatCount(group.by_severity[severity])}
            <span className="visually-hidden"> {severityNames[severity].toLowerCase()}</span>
          </span>
        ))}
    </span>
  );
}

function Row({ group, now, onOpen }: { group: FindingGroup; now: number; onOpen: () => void }) {
  const { value, label, count, approximate, margin, last_seen_at: seen } = group;
  return (
    <li>
      <button type="button" className={classes.row} onClick={onOpen}>
        <span className={classes.name} title={value}>
          {label ?? value}
        </span>
        <span className={classes.total} title={approximate ? `± ${formatCount(margin)}` : undefined}>
          {approximate && 'about '}
          {plural(count, 'finding')}
        </span>
        <Counts group={group} />
        <span className={classes.seen}>{seen && <Age at={seen} now={now} />}</span>
      </button>
    </li>
  );
}

/** Moves the focus to the next or previous group. */
function moveFocus(list: HTMLElement | null, step: number): void {
  const rows = [...(list?.querySelectorAll('button') ?? [])];
  const index = rows.indexOf(document.activeElement as HTMLButtonElement);
  rows[Math.min(Math.max(index + step, 0), rows.length - 1)]?.focus();
}

/** The findings that match as groups, the largest first. Opening one lists its findings. */
export default function Groups({ state, by, now }: { state: FindingsState; by: GroupBy; now: number }) {
  const { filters, loadedAt } = state;
  const list = useRef<HTMLUListElement>(null);
  const groups = usePages(groupPages(filters, by, loadedAt));
  const section = 'Groups';
  useCommands([
    { keys: ['j', 'ArrowDown'], label: 'Next group', section, unlisted: true, run: () => moveFocus(list.current, 1) },
    {
      keys: ['k', 'ArrowUp'],
      label: 'Previous group',
      section,
      unlisted: true,
      run: () => moveFocus(list.current, -1),
    },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    moveFocus(list.current, step);
  };
  return (
    <div className={classes.groups}>
      {groups.error && !groups.data ? (
        <Failure error={groups.error} onRetry={() => void groups.refetch()} />
      ) : groups.data === undefined ? (
        <Skeleton rows={12} />
      ) : groups.data.length === 0 ? (
        <Empty title={`No finding that matches has a ${nameOf(by)}`} />
      ) : (
        <ul ref={list} aria-label={`Findings by ${nameOf(by)}`} className={classes.list} onKeyDown={onKeyDown}>
          {groups.data.map((group) => (
            <Row key={group.value} group={group} now={now} onOpen={() => state.openGroup(by, group.value)} />
          ))}
        </ul>
      )}
      <More query={groups} />
    </div>
  );
}
