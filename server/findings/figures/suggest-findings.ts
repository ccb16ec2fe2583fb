import type { Database } from '../../platform/postgres/database.ts';
import { autocommit } from '../../platform/postgres/database.ts';
import { readFilters } from '../filters/read.ts';
import type { FindingFilters } from '../filters/table.ts';
import type { FoundFinding } from '../finding-schema.ts';
import { openStatuses } from '../lifecycle.ts';
import { type ListRequest, listFindings } from '../listing/list-findings.ts';
import { listFromColumns } from '../listing/list-from-columns.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import type { Suggestion } from '../live-columns/suggest.ts';

const fields = ['id', 'number', 'title', 'severity', 'status', 'data_source'];

/** Keeps a response within some 20 ms among a million findings: words that are not rare are looked for in the most urgent ones. */
const limits = { maxRare: 500, maxTried: 500, stops: true };

type Search = { text: string; limit: number; columns: ColumnService };

/**
 * Returns findings for a search that is being typed: those with all words of the text, whatever their status; then, as far as
 * there is room, the open ones with the best value, since the last word may be unfinished. The most urgent come first.
 * In a large organization, words that many findings have are looked for among the 500 most urgent findings.
 */
export async function suggestFindings(
  database: Database,
  actor: { orgId: string; userId: string | null },
  { text, limit, columns }: Search,
  values: Promise<Suggestion[]>,
): Promise<FoundFinding[]> {
  const { orgId } = actor;
  const list = async (filters: FindingFilters) => {
    const page: ListRequest = { filters, sort: '-priority', after: null, limit, fields };
    const rows =
      (await listFromColumns(database, orgId, page, columns, limits)) ?? (await listFindings(database, orgId, page));
    return rows.map(({ json }) => JSON.parse(json) as FoundFinding);
  };
  const [found, [best]] = await Promise.all([
    readFilters(autocommit(database, orgId), actor, { q: text }).then(list),
    values,
  ]);
  if (found.length === limit || !best) return found;
  const others = await list({ [best.field]: [best.value], status: [...openStatuses] });
  const all = new Map([...found, ...others].map((finding) => [finding.id, finding]));
  return [...all.values()].slice(0, limit);
}
