import type { Scan } from '@assay/client';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { IconX } from '../../ui/icons.ts';
import { Progress } from '../../ui/progress.tsx';
import { useNow } from '../../ui/time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { ScanStatusMark } from './marks.tsx';
import { ScanMessages } from './messages.tsx';
import { useCancelScan, useSourceNames } from './queries.ts';
import classes from './scans.module.css';
import { durationOf, outcomeOf, secondsOf } from './words.ts';

/** Describes the current work of a scan. Whether it found nothing is known only at its end. */
function activityOf({ status, progress, findings }: Scan): string {
  if (progress.message !== null) return progress.message;
  if (status === 'queued') return 'Waiting for a free worker.';
  return Object.values(findings).some((count) => count > 0) ? outcomeOf(findings) : 'Nothing found so far.';
}

/** A running or waiting scan with its progress; `brief` if several are shown together. */
export function RunningScan({ scan, brief = false }: { scan: Scan; brief?: boolean }) {
  const name = useSourceNames()(scan.source);
  const mayCancel = useMay('scans:write');
  const cancel = useCancelScan();
  const now = useNow(1_000);
  const seconds = secondsOf(scan, now);
  const { targets_done, targets_total, percent } = scan.progress;
  return (
    <article className={classes.card} aria-label={`Scan by ${name}`}>
      <div className={classes.line}>
        <Link to={`${paths.scans}/$id`} params={{ id: scan.id }}>
          <b>{name}</b>
        </Link>
        <ScanStatusMark status={scan.status} />
        <span className={`${classes.grow} ${classes.muted}`}>{brief && activityOf(scan)}</span>
        {mayCancel && (
          <Button
            size="xs"
            icon={IconX}
            loading={cancel.isPending}
            onClick={() => cancel.mutate(scan.id, { onError: showError })}
          >
            Cancel
          </Button>
        )}
      </div>
      <Progress label={`Progress of ${name}`} percent={percent} />
      {brief ? null : (
        <>
          <p className={classes.muted}>
            {targets_done} of {targets_total} {targets_total === 1 ? 'target' : 'targets'} done, {percent} %
            {seconds !== null && `, ${durationOf(seconds)}`}
          </p>
          <p>{activityOf(scan)}</p>
        </>
      )}
      <ScanMessages scan={scan} />
    </article>
  );
}
