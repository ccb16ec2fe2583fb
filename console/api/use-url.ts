import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Search = Record<string, string | undefined>;

/** The parameters of the URL, and a function that changes some of them. Empty parameters are omitted. */
export function useUrl(): [Search, (change: Search, options?: { replace?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = useCallback(
    (values: Search, { replace = false }: { replace?: boolean } = {}) =>
      void navigate({
        to: '.',
        search: ((old: Search) =>
          Object.fromEntries(Object.entries({ ...old, ...values }).filter(([, value]) => value))) as never,
        replace,
      }),
    [navigate],
  );
  return [search, change];
}
