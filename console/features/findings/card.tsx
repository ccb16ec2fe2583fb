import type { FindingStatus } from '@assay/client';
import { IconBan, IconCheck, IconDots } from '../../ui/icons.ts';
import { Age } from '../../ui/time.tsx';
import { stepLabels, usualStep } from './actions.tsx';
import classes from './card.module.css';
import { RowNote } from './conflict-note.tsx';
import { Due } from './due.tsx';
import type { ListedFinding } from './listed-finding.ts';
import { SeverityShape } from './marks.tsx';
import { placeOf, severityNames, statusNames } from './words.ts';

/** The status that a finding gets when it is swiped: its usual next step to the right, a false positive to the left. */
export const swipedTo = (status: FindingStatus, side: 'right' | 'left'): FindingStatus =>
  side === 'right' ? usualStep[status] : 'false_positive';

type CardProps = { finding: ListedFinding; now: number; mayDecide: boolean };

/** A finding on a phone: the title in up to two lines, the facts of a decision, and its decisions in a menu. */
export const Card = ({ finding, now, mayDecide }: CardProps) => (
  <>
    {mayDecide && (
      <>
        <span className={classes.behind} data-side="right" aria-hidden>
          <IconCheck size={20} stroke={1.5} />
          {stepLabels[swipedTo(finding.status, 'right')]}
        </span>
        <span className={classes.behind} data-side="left" aria-hidden>
          {stepLabels.false_positive}
          <IconBan size={20} stroke={1.5} />
        </span>
      </>
    )}
    <span className={classes.card} data-card>
      <SeverityShape severity={finding.severity} quiet />
      <span className={classes.title} dir="auto">
        {finding.title}
      </span>
      <span className={classes.facts}>
        <b className={classes[finding.severity]}>{severityNames[finding.severity]}</b>
        {[statusNames[finding.status], placeOf(finding) || finding.data_source.name].map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        <RowNote id={finding.id} />
      </span>
      <span className={classes.date}>
        {finding.due_at === null ? <Age at={finding.first_seen_at} now={now} /> : <Due at={finding.due_at} now={now} />}
      </span>
      {mayDecide && (
        <button type="button" className={classes.menu} data-menu aria-label={`Decide: ${finding.title}`}>
          <IconDots size={20} stroke={1.5} aria-hidden />
        </button>
      )}
    </span>
  </>
);
