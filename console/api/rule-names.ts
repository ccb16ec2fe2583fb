import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { assay } from './client.ts';

/** The maximum number of rules in a request. */
const maxRules = 100;

/** The titles of rules by id. A rule that no finding has is missing. */
export function ruleNamesQuery(rules: readonly string[]) {
  const ids = [...new Set(rules)].toSorted();
  return queryOptions({
    queryKey: ['rule names', ids],
    queryFn: async ({ signal }) => {
      const starts = ids.flatMap((_, index) => (index % maxRules === 0 ? [index] : []));
      const pages = await Promise.all(
        starts.map((start) => assay.rules.list({ id: ids.slice(start, start + maxRules) }, { signal })),
      );
      return new Map(pages.flatMap(({ data }) => data.map(({ id, name }) => [id, name])));
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  });
}
