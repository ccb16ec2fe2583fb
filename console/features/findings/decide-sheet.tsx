import { Dialog } from '../../ui/dialog.tsx';
import { otherActions, statusesAfter, stepLabels } from './actions.tsx';
import { linkOf } from './copies.ts';
import classes from './decide-sheet.module.css';
import type { ListedFinding } from './listed-finding.ts';
import { StatusMark } from './marks.tsx';
import type { TriageAction } from './use-triage.tsx';

type DecideSheetProps = {
  finding: ListedFinding;
  onAction: (action: TriageAction) => void;
  onSelect: () => void;
  onClose: () => void;
};

/** All actions on a finding of the list, for a thumb: those that swiping triggers, and the rest. */
export default function DecideSheet({ finding, onAction, onSelect, onClose }: DecideSheetProps) {
  const then = (run: () => void) => () => {
    onClose();
    run();
  };
  return (
    <Dialog title={finding.title} onClose={onClose}>
      <ul className={classes.actions}>
        {statusesAfter(finding.status).map((status) => (
          <li key={status}>
            <button type="button" onClick={then(() => onAction({ status }))}>
              <StatusMark status={status} label={stepLabels[status]} />
            </button>
          </li>
        ))}
        {otherActions.map(([action, label]) => (
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
