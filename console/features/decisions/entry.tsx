import type { Decision } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { paths } from '../../paths.ts';
import { sourceUrl } from '../findings/source-url.ts';

type Entry = NonNullable<Decision['entry']>;

/** The name of the person or the commit's author who states a decision, or that a tool's results do. */
export function authorOf({ origin, requested_by: by, entry }: Pick<Decision, 'origin' | 'requested_by' | 'entry'>) {
  if (origin === 'repository') return entry?.author?.name ?? 'An unknown author';
  if (origin === 'tool') return 'The tool’s results';
  return by?.name ?? 'A former member';
}

/** The place of a decision in a repository, with a link to it at the code host. */
export function EntryPlace({ entry }: { entry: Entry }) {
  const { data_source: source, path, line, commit } = entry;
  const { data = [] } = useQuery(dataSourceChoicesQuery);
  const config = data.find(({ id }) => id === source.id)?.config;
  const url = config && 'url' in config ? sourceUrl(String(config.url), { path, start_line: line, commit }) : null;
  const place = `${path}${line === null ? '' : `:${line}`}`;
  return (
    <>
      {url ? (
        <a href={url} target="_blank" rel="noreferrer">
          {place}
        </a>
      ) : (
        place
      )}
      {commit && ` at ${commit.slice(0, 10)}`} in{' '}
      <Link to={`${paths.dataSources}/$id`} params={{ id: source.id }}>
        {source.name}
      </Link>
    </>
  );
}
