import type { DetectionSource, ScanStatus } from '@assay/client';
import { Badge, type Tone } from '../../ui/badge.tsx';
import type { Icon } from '../../ui/button.tsx';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconClock,
  IconLoader,
  IconPlugConnected,
} from '../../ui/icons.ts';
import { scanStatusNames } from './words.ts';

const marks: Record<ScanStatus, { tone: Tone; icon: Icon }> = {
  queued: { tone: 'muted', icon: IconClock },
  running: { tone: 'accent', icon: IconLoader },
  completed: { tone: 'ok', icon: IconCheck },
  partial: { tone: 'warn', icon: IconAlertTriangle },
  failed: { tone: 'danger', icon: IconAlertCircle },
  cancelled: { tone: 'muted', icon: IconBan },
};

/** The status of a scan: sign, word and colour. */
export function ScanStatusMark({ status }: { status: ScanStatus }) {
  return <Badge {...marks[status]}>{scanStatusNames[status]}</Badge>;
}

/** Whether a detection source can run. */
export function ConnectionMark({ status }: { status: DetectionSource['status'] }) {
  return status === 'connected' ? (
    <Badge tone="ok" icon={IconPlugConnected}>
      Connected
    </Badge>
  ) : (
    <Badge tone="muted" icon={IconBan}>
      Unavailable
    </Badge>
  );
}
