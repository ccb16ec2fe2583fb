export const dataSourceKinds = ['git_repository', 'website', 'host', 'container_image', 'upload'] as const;
export type DataSourceKind = (typeof dataSourceKinds)[number];

/** The kinds' names in sentences. */
export const kindNames: Record<DataSourceKind, string> = {
  git_repository: 'a git repository',
  website: 'a website',
  host: 'a host',
  container_image: 'a container image',
  upload: 'an upload',
};
