import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import classes from './detail.module.css';
import { StatusMark } from './marks.tsx';
import { Part } from './part.tsx';
import { findingQuery } from './queries.ts';

const maxShown = 10;

/** What other scanners reported about the same problem in the same data source. */
export function Related({ ids }: { ids: readonly string[] }) {
  const found = useQueries({ queries: ids.slice(0, maxShown).map((id) => findingQuery(id)) });
  if (ids.length === 0) return null;
  return (
    <Part title="The same problem, found by others">
      <ul className={classes.related}>
        {found.flatMap(({ data }) =>
          data === undefined ? (
            []
          ) : (
            <li key={data.id}>
              <Link to={paths.findings} search={(old: Record<string, string>) => ({ ...old, open: data.id }) as never}>
                {data.title}
              </Link>{' '}
              <span className={classes.muted}>{data.source}</span> <StatusMark status={data.status} />
            </li>
          ),
        )}
      </ul>
    </Part>
  );
}
