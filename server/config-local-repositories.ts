import { list, listOf, type Read } from './config-values.ts';
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
