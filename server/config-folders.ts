import { fail, list, listOf, type Read, wholeNumber } from './config-values.ts';
import type { BackupSettings, TimeOfDay } from './platform/backup/backup-settings.ts';
import { isId } from './platform/id.ts';

/** Directories under which `file:` repositories are allowed, and for which organizations; null: for the first one only. */
export type LocalRepositoriesConfig = { directories: string[]; organizations: string[] | null };

export function readLocalRepositories(
  read: Read,
  errors: string[],
  absolute: (path: string) => string,
): LocalRepositoriesConfig {
  const directories = read<string[]>('ASSAY_LOCAL_REPOSITORIES', [], (text) => list(text).map(absolute));
  const organizations = read<string[] | null>(
    'ASSAY_LOCAL_REPOSITORY_ORGANIZATIONS',
    null,
    listOf((item) => isId('org', item), 'the id of an organization (org_…), as GET /api/v1/organization shows it'),
  );
  if (organizations !== null && directories.length === 0) {
    errors.push('ASSAY_LOCAL_REPOSITORIES: must be set when ASSAY_LOCAL_REPOSITORY_ORGANIZATIONS is.');
  }
  return { directories, organizations };
}

function timeOfDay(text: string): TimeOfDay {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match ? { hour: Number(match[1]), minute: Number(match[2]) } : fail('must be a time in UTC such as 02:30.');
}

/** Reads where, when and how many backups workers make; null where they make none. */
export function readBackup(read: Read, errors: string[], absolute: (path: string) => string): BackupSettings | null {
  const directory = read<string | null>('ASSAY_BACKUP_DIR', null, absolute);
  const at = read<TimeOfDay | null>('ASSAY_BACKUP_AT', null, timeOfDay);
  const keep = read<number | null>('ASSAY_BACKUP_KEEP', null, wholeNumber(1, 1_000));
  if (directory !== null) return { directory, at: at ?? { hour: 2, minute: 30 }, keep: keep ?? 7 };
  for (const [name, value] of Object.entries({ ASSAY_BACKUP_AT: at, ASSAY_BACKUP_KEEP: keep })) {
    if (value !== null) errors.push(`ASSAY_BACKUP_DIR: must be set when ${name} is.`);
  }
  return null;
}
