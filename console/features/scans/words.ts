import type { DataSourceKind, Scan, ScanStatus } from '@assay/client';

export const scanStatusNames: Record<ScanStatus, string> = {
  queued: 'Queued',
  running: 'Running',
  completed: 'Completed',
  partial: 'Partly failed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const triggerNames: Record<Scan['trigger'], string> = {
  api: 'On request',
  schedule: 'By schedule',
  import: 'Import',
};

/** The kinds of data sources, in the plural. */
export const kindsInWords: Record<DataSourceKind, string> = {
  git_repository: 'git repositories',
  website: 'websites',
  host: 'hosts',
  container_image: 'container images',
  upload: 'uploads',
};

const number = new Intl.NumberFormat('en');
/** Joins the items of a list: "1 new, 2 fixed and 3 seen again". */
export const list = new Intl.ListFormat('en', { type: 'conjunction' });

const changeNames = { new: 'new', reopened: 'reopened', resolved: 'fixed', seen: 'seen again' };

/** The outcomes of a scan with their counts: "3 new". */
export const outcomesOf = (findings: Scan['findings']) =>
  (Object.keys(changeNames) as (keyof typeof changeNames)[])
    .filter((change) => findings[change] > 0)
    .map((change) => ({ change, text: `${number.format(findings[change])} ${changeNames[change]}` }));

/** Describes findings: "3 new, 2 fixed and 20 seen again". */
export function outcomeOf(findings: Scan['findings']): string {
  const said = outcomesOf(findings).map(({ text }) => text);
  return said.length === 0 ? 'Nothing found' : list.format(said);
}

type Ended = Pick<Scan, 'status' | 'findings'> & {
  warnings: readonly unknown[];
  progress: { percent: number; message: string | null };
};

/**
 * Describes the result of a scan or of one of its targets. Only a result that covered everything says that there are no
 * findings.
 */
export function resultOf({ status, findings, warnings, progress }: Ended): string {
  if (status === 'queued' || status === 'running') return progress.message ?? `${progress.percent} %`;
  if (Object.values(findings).some((count) => count > 0)) return outcomeOf(findings);
  if (status === 'failed') return 'Unknown, because it failed';
  if (status === 'cancelled') return 'Unknown, because it was cancelled';
  return status === 'partial' || warnings.length > 0
    ? 'Nothing found in the part that was scanned'
    : outcomeOf(findings);
}

/** Formats a duration: "8 s", "3 min 5 s", "2 h 10 min". */
export function durationOf(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Returns the seconds that a scan has been running, or ran; null before it starts. */
export function secondsOf(
  { started_at, completed_at }: Pick<Scan, 'started_at' | 'completed_at'>,
  now: number,
): number | null {
  if (started_at === null) return null;
  return ((completed_at === null ? now : Date.parse(completed_at)) - Date.parse(started_at)) / 1000;
}

export const nothingClosed = 'Nothing was closed there, because the scan did not cover it.';
