import { Dialog } from '../../ui/dialog.tsx';
import { isOpen, otherActions, requestLabels, statusesAfter, stepLabels } from './actions.tsx';
import { linkOf } from './copies.ts';
import classes from './decide-sheet.module.css';
import type { ListedFinding } from './listed-finding.ts';
import { StatusMark } from './marks.tsx';
import type { Triage, TriageAction } from './use-triage.tsx';

type DecideSheetProps = {
  finding: ListedFinding;
  may: Pick<Triage, 'mayChange' | 'mayWork'>;
  onAction: (action: TriageAction) => void;
  onSelect: () => void;
  onClose: () => void;
};

const requests = ['false_positive', 'accepted_risk'] as const;

/** The statuses that a person sets or requests, each with its label. */
function stepsOf({ status }: ListedFinding, { mayChange, mayWork }: DecideSheetProps['may']) {
  if (mayChange) return statusesAfter(status).map((next) => ({ next, label: stepLabels[next] }));
  if (!isOpen(status)) return [];
  const work =
    mayWork && status !== 'in_progress' ? [{ next: 'in_progress' as const, label: stepLabels.in_progress }] : [];
  return [...work, ...requests.map((next) => ({ next, label: requestLabels[next] }))];
}

/** All actions on a finding of the list, for a thumb: those that swiping triggers, and the rest. */
export default function DecideSheet({ finding, may, onAction, onSelect, onClose }: DecideSheetProps) {
  const others = otherActions.filter(([action]) => may.mayChange || (may.mayWork && action === 'comment'));
  const then = (run: () => void) => () => {
    onClose();
    run();
  };
  return (
    <Dialog title={finding.title} onClose={onClose}>
      <ul className={classes.actions}>
        {stepsOf(finding, may).map(({ next, label }) => (
          <li key={next}>
            <button type="button" onClick={then(() => onAction({ status: next }))}>
              <StatusMark status={next} label={label} />
            </button>
          </li>
        ))}
        {others.map(([action, label]) => (
          <li key={label}>
            <button type="button" onClick={then(() => onAction(action))}>
              {label}
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={then(onSelect)}>
            Select several
          </button>
        </li>
        <li>
          <a href={linkOf(finding)} target="_blank" rel="noopener" onClick={onClose}>
            Open in a new tab
          </a>
        </li>
      </ul>
    </Dialog>
  );
}
