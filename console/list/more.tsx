import { Button } from '../ui/button.tsx';
import classes from './list.module.css';

type Pages = { hasNextPage?: boolean; isFetchingNextPage?: boolean; fetchNextPage?: () => unknown };

/** Loads the next page of a list, while there is one. */
export function More({ query }: { query: Pages }) {
  if (!query.hasNextPage) return null;
  return (
    <div className={classes.more}>
      <Button loading={query.isFetchingNextPage ?? false} onClick={() => void query.fetchNextPage?.()}>
        Show more
      </Button>
    </div>
  );
}
