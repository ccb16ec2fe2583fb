import type { Decision, DecisionCreation } from '@assay/client';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { pagesQuery } from '../../api/pages.ts';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { ruleNamesQuery } from '../../api/rule-names.ts';
import { showError, showToast } from '../../ui/toasts.tsx';
import { plural } from '../findings/words.ts';
import { latestEnd } from './limits.ts';
import type { NameOf, ScopeNames } from './words.ts';

export const tabs = { active: 'In force', requested: 'To approve', ending: 'Ending soon', ended: 'Ended' };
export type Shown = keyof typeof tabs;

const statusesOf: Record<Shown, Decision['status'][]> = {
  active: ['active'],
  requested: ['requested'],
  ending: ['active'],
  ended: ['ended', 'expired', 'withdrawn', 'rejected'],
};

export const shownOf = (tab: string | undefined): Shown =>
  tab && Object.hasOwn(tabs, tab) ? (tab as Shown) : 'active';

const dayMs = 86_400_000;
/** The days within which a decision ends soon. */
export const soonDays = 14;

/** The last second of the last day that is soon. It is the same for the whole day, so that pages and counts agree. */
const soonEnd = () => new Date((Math.floor(serverNow() / dayMs) + soonDays + 1) * dayMs - 1000).toISOString();
export const endsSoon = ({ until }: Pick<Decision, 'until'>): boolean =>
  until !== null && Date.parse(until) <= Date.parse(soonEnd());

const parametersOf = (shown: Shown) => ({
  status: statusesOf[shown],
  limit: 100,
  // Decisions about single findings are in the list of findings, but their ends concern everybody.
  ...(shown === 'ending' ? { until_to: soonEnd() } : { single: false }),
});

/** The decisions of a tab, newest first, page by page. */
export const decisionPages = (shown: Shown) =>
  pagesQuery<Decision>(['decisions', 'pages', shown], (cursor, options) =>
    assay.decisions.list({ ...parametersOf(shown), ...cursor }, options),
  );

export const byEnd = (a: Decision, b: Decision) => (a.until ?? '').localeCompare(b.until ?? '');

/** Up to a hundred decisions that end soon, the next to end first: all, or without those about single findings. */
export const endingQuery = (single?: false) =>
  queryOptions({
    queryKey: ['decisions', 'ending soon', single ?? null],
    queryFn: async ({ signal }) => {
      const parameters = { ...parametersOf('ending'), ...(single === false && { single }) };
      const { data, next_cursor } = await assay.decisions.list(parameters, { signal });
      return { decisions: data.toSorted(byEnd), more: next_cursor !== null };
    },
  });

/** Whether decisions about single findings are in force, which the list leaves out. */
export const singlesQuery = queryOptions({
  queryKey: ['decisions', 'single'],
  queryFn: async ({ signal }) => (await assay.decisions.list({ single: true, limit: 1 }, { signal })).data.length > 0,
});

export const decisionQuery = (id: string) =>
  queryOptions({ queryKey: ['decisions', 'one', id], queryFn: ({ signal }) => assay.decisions.get(id, { signal }) });

/** A request in the version that the page shows. */
type Seen = Pick<Decision, 'id' | 'version'>;

const seenOf = (requests: readonly Seen[]) => requests.map(({ id, version }) => ({ id, version }));

/** Previews the approval of these requests. */
export const approvalQuery = (requests: readonly Seen[]) =>
  queryOptions({
    queryKey: ['decisions', 'approval', seenOf(requests)],
    queryFn: () => assay.decisions.approveMany({ decisions: seenOf(requests), dry_run: true }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A decision whose preview counts the findings of a scope. Every policy allows its end. */
const countOf = (scope: Decision['scope']) =>
  ({ outcome: 'triaged', reason: 'Count', scope, until: latestEnd(1) }) satisfies DecisionCreation;

/** The findings that a scope covers now. */
export const coveredQuery = (scope: Decision['scope']) =>
  queryOptions({
    queryKey: ['decisions', 'covered', scope],
    queryFn: ({ signal }) => assay.decisions.preview(countOf(scope), { signal }),
    staleTime: 30_000,
    retry: false,
  });

/** The findings of which a preview returns the titles. */
const sampled = 10;

/** The titles of findings by id. */
const titlesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['finding titles', ids],
    queryFn: async ({ signal }) => {
      const starts = ids.flatMap((_, index) => (index % sampled === 0 ? [index] : []));
      const previews = await Promise.all(
        starts.map((start) =>
          assay.decisions.preview(countOf({ finding: ids.slice(start, start + sampled) }), { signal }),
        ),
      );
      return new Map(previews.flatMap(({ samples }) => samples.map(({ id, title }) => [id, title])));
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
    retry: false,
  });

/** The rules that people mostly dismiss. */
export const offeredRulesQuery = queryOptions({
  queryKey: ['decisions', 'offered rules'],
  queryFn: async ({ signal }) => (await assay.rules.list({ often_dismissed: true, limit: 5 }, { signal })).data,
  staleTime: 60_000,
});

/** A rule with how people judged it; null if no finding has it. */
export const ruleQuery = (id: string) =>
  queryOptions({
    queryKey: ['decisions', 'rule', id],
    queryFn: async ({ signal }) => (await assay.rules.list({ id: [id] }, { signal })).data[0] ?? null,
    staleTime: 60_000,
  });

export function useRenewDecisions() {
  const client = useQueryClient();
  return () => {
    for (const key of ['decisions', 'findings', 'finding']) void client.invalidateQueries({ queryKey: [key] });
  };
}

export function useAnswer(kind: 'approve' | 'reject', onDone: () => void) {
  const renew = useRenewDecisions();
  return useMutation({
    mutationFn: ({ id, ...answer }: Seen & { answer?: string }) => assay.decisions[kind](id, answer),
    onSuccess: () => {
      renew();
      showToast(kind === 'approve' ? 'Approved. The decision is in force.' : 'The request is rejected.');
      onDone();
    },
  });
}

export function useApproveMany(onDone: () => void) {
  const renew = useRenewDecisions();
  return useMutation({
    mutationFn: (requests: readonly Seen[]) => assay.decisions.approveMany({ decisions: seenOf(requests) }),
    onSuccess: ({ approved, refused }) => {
      renew();
      const others = refused.length === 0 ? '' : ` ${plural(refused.length, 'request')} not: ${refused[0]!.message}`;
      showToast(`${plural(approved.length, 'request')} approved.${others}`);
      onDone();
    },
  });
}

export function useDemote(onDone: () => void) {
  const renew = useRenewDecisions();
  return useMutation({
    mutationFn: (decision: DecisionCreation) => assay.decisions.create(decision),
    onSuccess: ({ id, status }) => {
      renew();
      const text =
        status === 'requested'
          ? 'Requested: it applies once another person has approved it.'
          : 'Its findings are shown as info, now and later.';
      showToast(text, { label: 'Undo', run: () => void assay.decisions.withdraw(id).then(renew, showError) });
      onDone();
    },
  });
}

export function useWithdraw(onDone: () => void) {
  const renew = useRenewDecisions();
  return useMutation({
    mutationFn: (id: string) => assay.decisions.withdraw(id),
    onSuccess: () => {
      renew();
      showToast('Withdrawn. Its findings are as before, unless another decision covers them.');
      onDone();
    },
    onError: showError,
  });
}

export function useChangeDecision(id: string, onDone: () => void) {
  const renew = useRenewDecisions();
  return useMutation({
    mutationFn: (change: { reason: string; until?: string | null }) => assay.decisions.update(id, change),
    onSuccess: () => {
      renew();
      onDone();
    },
  });
}

/** Maps the rules in the scopes of these decisions to their titles, and those without one to their ids. */
export function useRuleNames(decisions: readonly Pick<Decision, 'scope'>[] = []): NameOf {
  const { data } = useQuery(ruleNamesQuery(decisions.flatMap(({ scope }) => scope.rule ?? [])));
  return (id) => data?.get(id) ?? id;
}

/** Maps the data sources, rules and single findings in the scopes of these decisions to names. */
export function useScopeNames(decisions: readonly Pick<Decision, 'scope'>[] | undefined): ScopeNames {
  const { data = [] } = useQuery(dataSourceChoicesQuery);
  const names = new Map(data.map(({ id, name }) => [id, name]));
  const single = (decisions ?? []).flatMap(({ scope: { finding = [] } }) => (finding.length === 1 ? finding : []));
  const titles = useQuery(titlesQuery([...new Set(single)].toSorted())).data;
  return {
    dataSource: (id) => names.get(id) ?? 'a deleted data source',
    rule: useRuleNames(decisions),
    finding: (id) => titles?.get(id),
  };
}
