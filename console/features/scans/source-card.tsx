import type { DetectionSource } from '@assay/client';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { IconPlayerPlay } from '../../ui/icons.ts';
import { Time } from '../../ui/time.tsx';
import { FeedNote } from '../feeds/feed-note.tsx';
import { ConnectionMark, ScanStatusMark } from './marks.tsx';
import classes from './scans.module.css';

const LastScan = ({ scan: { id, status, completed_at } }: { scan: NonNullable<DetectionSource['last_scan']> }) => (
  <span className={classes.muted}>
    <Link to={`${paths.scans}/$id`} params={{ id }}>
      Last scan
    </Link>{' '}
    {completed_at && <Time at={completed_at} />} {status !== 'completed' && <ScanStatusMark status={status} />}
  </span>
);

/** A connected scanner: its state, its last scan and its findings. */
export function SourceCard({ source, onScan }: { source: DetectionSource; onScan: () => void }) {
  const mayScan = useMay('scans:write');
  const { type, name, description, mode, status, status_reason, version, last_scan, open_findings } = source;
  return (
    <article className={classes.card} aria-label={name}>
      <div className={classes.line}>
        <h2>{name}</h2>
        {version && <span className={classes.muted}>{version}</span>}
        <span className={classes.grow} />
        <ConnectionMark status={status} />
      </div>
      <p className={classes.muted}>{mode === 'push' ? 'Its results are imported.' : description}</p>
      {type === 'dependencies' ? (
        <p className={classes.muted}>
          <FeedNote name="advisories" />
        </p>
      ) : (
        status_reason && <p className={classes.muted}>{status_reason}</p>
      )}
      <div className={`${classes.line} ${classes.foot}`}>
        {last_scan === null && open_findings === 0 ? (
          <span className={classes.muted}>Never run</span>
        ) : (
          <Link to={paths.findings} search={{ source: type, status: 'new,triaged,in_progress' }}>
            {open_findings.toLocaleString('en')} open
          </Link>
        )}
        {last_scan && <LastScan scan={last_scan} />}
        <span className={classes.grow} />
        {mode === 'scan' && mayScan && (
          <Button
            size="xs"
            icon={IconPlayerPlay}
            onClick={onScan}
            disabledReason={status === 'connected' ? null : (status_reason ?? 'It is unavailable.')}
          >
            Scan
          </Button>
        )}
      </div>
    </article>
  );
}
