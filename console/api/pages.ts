import type { Page } from '@assay/client';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type Query,
  type QueryKey,
  useInfiniteQuery,
} from '@tanstack/react-query';

type Rows<T> = { data: T[]; next_cursor: string | null };
type Cursor = { next_cursor?: string };
type LoadPage<T> = (cursor: Cursor, options: { signal: AbortSignal }) => PromiseLike<Page<T>>;
type Options<T> = { refetchInterval?: (rows: T[]) => number | false; enabled?: boolean; keepPrevious?: boolean };
type PagesQuery<T> = Query<Rows<T>, Error, InfiniteData<Rows<T>, string>, QueryKey>;

const rowsOf = <T>(loaded: InfiniteData<Rows<T>>): T[] => loaded.pages.flatMap(({ data }) => data);

/** The query of a list that is read page by page. */
export const pagesQuery = <T>(queryKey: QueryKey, load: LoadPage<T>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<Rows<T>> => {
      const { data, next_cursor } = await load(pageParam === '' ? {} : { next_cursor: pageParam }, { signal });
      return { data, next_cursor };
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: Rows<T>) => next_cursor,
  });

/** A list that loads more pages on demand. `data` are the rows of all loaded pages. */
export function usePages<T>(
  pages: ReturnType<typeof pagesQuery<T>>,
  { enabled = true, keepPrevious = false, refetchInterval }: Options<T> = {},
) {
  const intervalOf = ({ state }: PagesQuery<T>) =>
    state.data ? (refetchInterval?.(rowsOf(state.data)) ?? false) : false;
  const query = useInfiniteQuery({
    ...pages,
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    refetchInterval: intervalOf,
  });
  return { ...query, data: query.data && rowsOf(query.data) };
}
