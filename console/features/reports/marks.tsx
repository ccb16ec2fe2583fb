import type { Report } from '@assay/client';
import { Badge, type Tone } from '../../ui/badge.tsx';
import type { Icon } from '../../ui/button.tsx';
import { IconAlertCircle, IconCheck, IconClock } from '../../ui/icons.ts';
import { reportStatusNames } from './words.ts';

const marks: Record<Report['status'], { tone: Tone; icon: Icon }> = {
  pending: { tone: 'accent', icon: IconClock },
  ready: { tone: 'ok', icon: IconCheck },
  failed: { tone: 'danger', icon: IconAlertCircle },
};

export function ReportStatusMark({ status }: { status: Report['status'] }) {
  return <Badge {...marks[status]}>{reportStatusNames[status]}</Badge>;
}
