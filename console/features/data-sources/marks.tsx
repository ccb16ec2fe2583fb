import type { DataSource, DataSourceKind } from '@assay/client';
import { Badge, type Tone } from '../../ui/badge.tsx';
import type { Icon } from '../../ui/button.tsx';
import {
  IconAlertCircle,
  IconBox,
  IconCheck,
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
  never_scanned: { tone: 'muted', icon: IconClock },
  ok: { tone: 'ok', icon: IconCheck },
  error: { tone: 'danger', icon: IconAlertCircle },
};

/** Whether the last scan of a data source succeeded. */
export function DataSourceStatusMark({ status }: { status: DataSource['status'] }) {
  return <Badge {...marks[status]}>{dataSourceStatusNames[status]}</Badge>;
}
