import type { View, ViewCreation, ViewUpdate } from '@assay/client';
import { queryOptions } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { openFindings } from '../../api/summary-parameters.ts';
import type { Filters } from '../../filters/filters.ts';
import { fromBody, toBody } from '../../filters/parameters.ts';

/** Filters and an order under a name: a built-in view, or a saved one. */
export type ListView = { id: string; name: string; filters: Filters; sort: string | null; saved: View | null };

const builtIn = (id: string, name: string, filters: Filters, sort: string | null = null): ListView => ({
  id,
  name,
  filters,
  sort,
  saved: null,
});

/** The built-in views. */
export const builtInViews: ListView[] = [
  builtIn('triage', 'Needs triage', { status: 'new' }),
  builtIn('mine', 'Mine', { ...openFindings, assignee: 'me' }),
  builtIn('due', 'Due', { ...openFindings, due_to: '7d' }, 'due_at'),
  builtIn('exploited', 'Exploited', { ...openFindings, kev: 'true' }, '-priority'),
  builtIn('reopened', 'Reopened', { ...openFindings, reopened: 'true' }, '-updated_at'),
  builtIn('expiring', 'Risk expiring', { status: 'accepted_risk', accepted_until_to: '30d' }),
  builtIn('all', 'All', {}),
];

export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async (): Promise<ListView[]> => {
    const { data } = await assay.views.list({ limit: 200 });
    return data.map((saved) => ({
      id: saved.id,
      name: saved.name,
      filters: fromBody(saved.filter),
      sort: saved.sort,
      saved,
    }));
  },
  staleTime: 60_000,
});

const renew = () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey });

export async function createView(name: string, shared: boolean, filters: Filters, sort: string): Promise<string> {
  const { id } = await assay.views.create({ name, shared, filter: toBody(filters), sort } as ViewCreation);
  await renew();
  return id;
}

export async function updateView(id: string, filters: Filters, sort: string): Promise<void> {
  await assay.views.update(id, { filter: toBody(filters), sort } as ViewUpdate);
  await renew();
}

export async function deleteView(id: string): Promise<void> {
  await assay.views.delete(id);
  await renew();
}
