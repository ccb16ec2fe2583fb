import type { FindingGroup } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { usePages } from '../../api/pages.ts';
import { useUrl } from '../../api/use-url.ts';
import { useCommands } from '../../keys/registry.ts';
import { More } from '../../list/more.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { IconChevronRight } from '../../ui/icons.ts';
import { Empty, Failure, Load, Skeleton } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import { BulkActions, RequestBulkActions } from './actions.tsx';
import classes from './groups.module.css';
import { SeverityMark, SeverityShape, StatusMark } from './marks.tsx';
import { type GroupBy, groupings } from './parameters.ts';
import { firstQuery, groupPages } from './queries.ts';
import type { FindingsState } from './state.ts';
import { useTriage } from './use-triage.tsx';
import { formatCount, placeOf, plural, severities, severityNames } from './words.ts';

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

/** The number of findings that an open group shows. */
const shownOfGroup = 10;

type OpenedProps = { state: FindingsState; by: GroupBy; group: FindingGroup; onDone: () => void };

/** The first findings of a group, and the decisions for the whole group. */
function Opened({ state, by, group, onDone }: OpenedProps) {
  const { value, count, label } = group;
  const filters = { ...state.filters, [by]: value };
  const first = useQuery(firstQuery(filters, state.sort, state.loadedAt, shownOfGroup));
  const scopes = by === 'rule' ? [{ key: 'e', label: 'This rule, also in future', scope: { rule: [value] } }] : [];
  const { act, dialogs, mayChange, mayRequest } = useTriage(
    () => [],
    () => {},
    { filters, count, onDone, scopes },
  );
  return (
    <section className={classes.opened} aria-label={label ?? value}>
      {mayChange && <BulkActions onAction={act} />}
      {mayRequest && <RequestBulkActions onAction={act} />}
      <Load query={first} rows={3}>
        {(findings) => (
          <ul className={classes.findings}>
            {findings.map((finding) => (
              <li key={finding.id}>
                <SeverityMark severity={finding.severity} />
                <Link to={`${paths.findings}/$id`} params={{ id: finding.id }}>
                  {placeOf(finding) || finding.title}
                </Link>
                <StatusMark status={finding.status} />
                <span>{finding.data_source.name}</span>
              </li>
            ))}
          </ul>
        )}
      </Load>
      <Button size="xs" kind="quiet" onClick={() => state.openGroup(by, value)}>
        {count > shownOfGroup ? `List all ${formatCount(count)}` : 'List them'}
      </Button>
      {dialogs}
    </section>
  );
}

type RowProps = { group: FindingGroup; now: number; isOpen: boolean; onOpen: () => void; children: ReactNode };

function Row({ group, now, isOpen, onOpen, children }: RowProps) {
  const { value, label, count, last_seen_at: seen } = group;
  return (
    <li>
      <button type="button" data-group className={classes.row} aria-expanded={isOpen} onClick={onOpen}>
        <span className={classes.name} title={value}>
          <IconChevronRight size={16} stroke={1.5} aria-hidden />
          <span>{label ?? value}</span>
        </span>
        <span className={classes.total}>{plural(count, 'finding')}</span>
        <Counts group={group} />
        <span className={classes.seen}>{seen && <Age at={seen} now={now} />}</span>
      </button>
      {children}
    </li>
  );
}

/** Moves the focus to the next or previous group. */
function moveFocus(list: HTMLElement | null, step: number): void {
  const rows = [...(list?.querySelectorAll<HTMLButtonElement>('button[data-group]') ?? [])];
  const index = rows.indexOf(document.activeElement as HTMLButtonElement);
  rows[Math.min(Math.max(index + step, 0), rows.length - 1)]?.focus();
}

/** The matching findings in groups, the largest first. One group is open at a time and can be decided as a whole. */
export default function Groups({ state, by, now }: { state: FindingsState; by: GroupBy; now: number }) {
  const { filters, loadedAt } = state;
  const [{ opened }, change] = useUrl();
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
            <Row
              key={group.value}
              group={group}
              now={now}
              isOpen={opened === group.value}
              onOpen={() => change({ opened: opened === group.value ? '' : group.value })}
            >
              {opened === group.value && (
                <Opened
                  state={state}
                  by={by}
                  group={group}
                  onDone={() => {
                    change({ opened: '' });
                    state.reload();
                  }}
                />
              )}
            </Row>
          ))}
        </ul>
      )}
      <More query={groups} />
    </div>
  );
}
