import type { DataSource, DataSourceKind } from '@assay/client';

export const kindNames: Record<DataSourceKind, string> = {
  git_repository: 'Git repository',
  website: 'Website',
  host: 'Host',
  container_image: 'Container image',
  upload: 'Upload',
};

/** The purpose of a kind in one line. */
export const kindLeads: Record<DataSourceKind, string> = {
  git_repository: 'Assay searches its files and history for secrets, flaws and vulnerable packages.',
  website: 'Assay checks its responses from outside.',
  host: 'Scanners such as Nmap check its open services.',
  container_image: 'Scanners such as Trivy or Grype check its packages.',
  upload: 'Accepts result files and SBOMs from other scanners.',
};

export const kinds = Object.keys(kindNames) as DataSourceKind[];

export const dataSourceStatusNames: Record<DataSource['status'], string> = {
  failed: 'Failed',
  partial: 'Partly failed',
  stale: 'Stale',
  never_scanned: 'Never scanned',
  ok: 'OK',
};

/** A data source's open findings. Their number is unknown before the first scan. */
export const openFindingsOf = ({ status, open_findings }: Pick<DataSource, 'status' | 'open_findings'>): string =>
  status === 'never_scanned' && open_findings === 0 ? 'unknown' : open_findings.toLocaleString('en');

/** The address of a data source in a readable form; null for an upload. */
export function addressOf({ config }: Pick<DataSource, 'config'>): string | null {
  if ('url' in config) return config.url;
  if ('address' in config) return config.address;
  if ('reference' in config) return config.reference;
  return null;
}

export const deletionConsequence = (openFindings: number): string =>
  openFindings === 0
    ? 'Its scans stop, and schedules no longer include it. Its history is kept.'
    : `Its ${openFindings === 1 ? 'open finding becomes' : `${openFindings.toLocaleString('en')} open findings become`} resolved, its scans stop, and schedules no longer include it. Its history is kept.`;
