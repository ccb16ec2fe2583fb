import type { FindingStatus } from '@assay/client';
import { Button } from '../../ui/button.tsx';
import { useMediaQuery } from '../../ui/hooks.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconChevronDown, IconDots, IconTag, IconUser } from '../../ui/icons.ts';
import { Menu } from '../../ui/menu.ts';
import classes from './actions.module.css';
import { StatusMark } from './marks.tsx';
import type { TriageAction } from './use-triage.tsx';
import { statusKeys } from './words.ts';

type OnAction = { onAction: (action: TriageAction) => void };

/** The labels of the buttons that set a status. */
export const stepLabels: Record<FindingStatus, string> = {
  new: 'Reopen',
  triaged: 'Triage',
  in_progress: 'In progress',
  resolved: 'Resolved',
  false_positive: 'False positive',
  accepted_risk: 'Accept risk',
};

const keyOf = new Map(Object.entries(statusKeys).map(([key, status]) => [status, key]));
const statuses = Object.keys(stepLabels) as FindingStatus[];

/** The usual next status after each status. */
export const usualStep: Record<FindingStatus, FindingStatus> = {
  new: 'triaged',
  triaged: 'in_progress',
  in_progress: 'resolved',
  resolved: 'new',
  false_positive: 'new',
  accepted_risk: 'new',
};

export const otherActions: [action: TriageAction, label: string, key: string][] = [
  ['assign', 'Assign', 'a'],
  ['assign-me', 'Assign to me', 'i'],
  ['tag', 'Tag', 't'],
  ['comment', 'Comment', 'c'],
];

/** The other statuses, the usual step first. */
export const statusesAfter = (status: FindingStatus): FindingStatus[] => {
  const first = usualStep[status];
  return [first, ...statuses.filter((one) => one !== status && one !== first)];
};

export const isOpen = (status: FindingStatus) => status === 'new' || status === 'triaged' || status === 'in_progress';

type SetProps = OnAction & { status: FindingStatus; kind?: 'primary' | 'secondary' | 'quiet'; label?: string };

const SetStatus = ({ status, kind = 'secondary', label = stepLabels[status], onAction }: SetProps) => (
  <Button kind={kind} hint={keyOf.get(status)!} onClick={() => onAction({ status })}>
    {label}
  </Button>
);

const StatusItems = ({ of, onAction }: OnAction & { of: readonly FindingStatus[] }) =>
  of.map((status) => (
    <Menu.Item key={status} rightSection={<kbd>{keyOf.get(status)}</kbd>} onClick={() => onAction({ status })}>
      <StatusMark status={status} />
    </Menu.Item>
  ));

const OtherItems = ({ of, onAction }: OnAction & { of: typeof otherActions }) =>
  of.map(([action, label, key]) => (
    <Menu.Item key={key} rightSection={<kbd>{key}</kbd>} onClick={() => onAction(action)}>
      {label}
    </Menu.Item>
  ));

/** All decisions in a row, for the page of a finding: the usual next step first. */
export function PageActions({ status, onAction }: OnAction & { status: FindingStatus }) {
  const first = usualStep[status];
  const rest = statuses.filter((one) => one !== status && one !== first && one !== 'new');
  return (
    <div className={classes.page} role="toolbar" aria-label="Decide">
      <SetStatus status={first} kind="primary" onAction={onAction} />
      <span className={classes.split}>
        {rest.map((one) => (
          <SetStatus key={one} status={one} onAction={onAction} />
        ))}
      </span>
      <span className={classes.grow} />
      <Button kind="quiet" icon={IconUser} hint="a" onClick={() => onAction('assign')}>
        Assign
      </Button>
      <Button kind="quiet" icon={IconTag} hint="t" onClick={() => onAction('tag')}>
        Tag
      </Button>
    </div>
  );
}

/** The labels of the buttons that request a decision. */
export const requestLabels = { false_positive: 'Request: false positive', accepted_risk: 'Request: accept' };

const RequestButtons = ({ kind = 'secondary', onAction }: OnAction & { kind?: 'secondary' | 'quiet' }) => (
  <>
    <SetStatus status="false_positive" kind={kind} label={requestLabels.false_positive} onAction={onAction} />
    <SetStatus status="accepted_risk" kind={kind} label={requestLabels.accepted_risk} onAction={onAction} />
  </>
);

type RequestProps = OnAction & { status: FindingStatus; mayWork: boolean };

/** The steps of people who don't decide: developers take an open finding into work, and the rest is requested. */
export const RequestActions = ({ status, mayWork, onAction }: RequestProps) =>
  isOpen(status) && (
    <div className={classes.panel} role="toolbar" aria-label={mayWork ? 'Work and requests' : 'Requests'}>
      {mayWork && status !== 'in_progress' && <SetStatus status="in_progress" kind="primary" onAction={onAction} />}
      <RequestButtons onAction={onAction} />
    </div>
  );

/** The requests for the selected findings, or for a group. */
export const RequestBulkActions = ({ onAction }: OnAction) => (
  <div className={classes.bulk} role="toolbar" aria-label="Request for the selection">
    <RequestButtons kind="quiet" onAction={onAction} />
  </div>
);

/** The decisions at the foot of the panel: the usual next step, its alternatives, the two dismissals, the rest in a menu. */
export function PanelActions({ status, onAction }: OnAction & { status: FindingStatus }) {
  const narrow = useMediaQuery('(max-width: 599px)') ?? false;
  const [first, ...rest] = statusesAfter(status) as [FindingStatus, ...FindingStatus[]];
  return (
    <div className={classes.panel} role="toolbar" aria-label="Decide">
      <span className={classes.split}>
        <SetStatus status={first} kind="primary" onAction={onAction} />
        {!narrow && (
          <Menu position="top-start">
            <Menu.Target>
              <Button kind="primary" aria-label="Other status">
                <IconChevronDown size={16} stroke={1.5} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <StatusItems of={rest} onAction={onAction} />
            </Menu.Dropdown>
          </Menu>
        )}
      </span>
      {status !== 'false_positive' && <SetStatus status="false_positive" onAction={onAction} />}
      {status !== 'accepted_risk' && <SetStatus status="accepted_risk" label="Accept" onAction={onAction} />}
      <span className={classes.grow} />
      <Menu position="top-end">
        <Menu.Target>
          <IconButton label={narrow ? 'More decisions' : 'Assign, tag or comment'} icon={IconDots} />
        </Menu.Target>
        <Menu.Dropdown>
          {narrow && <StatusItems of={rest} onAction={onAction} />}
          <OtherItems of={otherActions} onAction={onAction} />
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** The decisions on the selected findings, on the bar above the list's end. */
export const BulkActions = ({ onAction }: OnAction) => (
  <div className={classes.bulk} role="toolbar" aria-label="Decide on the selection">
    <SetStatus status="triaged" kind="quiet" onAction={onAction} />
    <SetStatus status="false_positive" kind="quiet" onAction={onAction} />
    <SetStatus status="accepted_risk" kind="quiet" label="Accept" onAction={onAction} />
    <Button kind="quiet" hint="a" onClick={() => onAction('assign')}>
      Assign
    </Button>
    <Button kind="quiet" hint="t" onClick={() => onAction('tag')}>
      Tag
    </Button>
    <Menu position="top-end">
      <Menu.Target>
        <IconButton label="More actions" icon={IconDots} size={28} />
      </Menu.Target>
      <Menu.Dropdown>
        <StatusItems of={['in_progress', 'resolved', 'new']} onAction={onAction} />
        <OtherItems
          of={otherActions.filter(([action]) => action === 'assign-me' || action === 'comment')}
          onAction={onAction}
        />
      </Menu.Dropdown>
    </Menu>
  </div>
);
