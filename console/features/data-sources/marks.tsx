import type { DataSource, DataSourceKind } from '@assay/client';
import { Badge, type Tone } from '../../ui/badge.tsx';
import type { Icon } from '../../ui/button.tsx';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconBox,
  IconCheck,
  IconCircleDashed,
  IconClock,
  IconFileUpload,
  IconGitBranch,
  IconServer,
  IconWorld,
} from '../../ui/icons.ts';
import { dataSourceStatusNames } from './words.ts';

export const kindIcons: Record<DataSourceKind, Icon> = {
  git_repository: IconGitBranch,
  website: IconWorld,
  host: IconServer,
  container_image: IconBox,
  upload: IconFileUpload,
};

const marks: Record<DataSource['status'], { tone: Tone; icon: Icon }> = {
  failed: { tone: 'danger', icon: IconAlertCircle },
  partial: { tone: 'warn', icon: IconAlertTriangle },
  stale: { tone: 'warn', icon: IconClock },
  never_scanned: { tone: 'muted', icon: IconCircleDashed },
  ok: { tone: 'ok', icon: IconCheck },
};

/** The worst outcome among a data source's last scans, or the last scan by one scanner. */
export function DataSourceStatusMark({ status }: { status: DataSource['status'] }) {
  return <Badge {...marks[status]}>{dataSourceStatusNames[status]}</Badge>;
}
