import type { Chosen, Reading } from '../../server/findings/filter.ts';
import type { FilteredFinding } from '../../server/findings/filtered-finding.ts';
import { type FilterInput, filterEntries } from '../../server/findings/filters/table.ts';
import { invalid } from '../../server/platform/errors.ts';
import type { FindingSet } from './finding-set.ts';

/** Reads the findings of a set, with everything else that filters depend on. */
export async function readModel(set: FindingSet): Promise<FilteredFinding[]> {
  const details = await Promise.all((await set.list()).map(({ id }) => set.get(`/findings/${id}`)));
  const byId = new Map(details.map((finding) => [finding.id, finding]));
  const place = ({ closed_at, id }: { closed_at: string | null; id: string }) => `${closed_at === null ? 0 : 1}${id}`;
  const histories = await Promise.all(details.map(({ id }) => set.get(`/findings/${id}/history?limit=1`)));
  return details.map((finding, index) => {
    const firstScanId = histories[index].data[0].actor.id;
    const { owner: owner_id, ...importance } = set.importance.get(finding.data_source.id)!;
    const isShown = finding.related.every((id: string) => place(byId.get(id)) > place(finding));
    return { ...finding, importance: { ...importance, owner_id }, isShown, firstScanId };
  });
}

/** Returns whether a finding matches the filters, by the model of each. */
export function isSelected(
  { owner }: FindingSet,
  finding: FilteredFinding,
  input: FilterInput,
  now = new Date(),
): boolean {
  return filterEntries.every(([name, filter]) => {
    if (input[name] === undefined) return true;
    const refuse = (message: string) => invalid('query', name, message);
    const reading: Reading = { orgId: owner.orgId, userId: owner.userId, now, refuse };
    const { any, none }: Chosen<unknown> = filter.read(input[name], reading);
    return (
      (any === undefined || filter.matches(finding, any)) && (none === undefined || !filter.matches(finding, none))
    );
  });
}
