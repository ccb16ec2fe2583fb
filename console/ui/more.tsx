import { Button } from './button.tsx';
import classes from './page.module.css';

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** Loads the next page of a list, while there is one. */
export function More({ query }: { query: Pages }) {
  if (!query.hasNextPage) return null;
  return (
    <div className={classes.actions}>
      <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
}
