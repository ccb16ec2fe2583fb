import { listDetectors } from '../../detection/registry.ts';
import { listPushSources } from '../../detection/scans/push-source-queries.ts';
import type { FilterInput } from '../../findings/filters/table.ts';
import { type ListSort, listOrders } from '../../findings/orders.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { formatTime } from '../../platform/times.ts';
import { nameFilters } from '../analysis/filter-names.ts';
import { listDataSources } from '../analysis/head-queries.ts';
import { describeFilters } from '../describe-filters.ts';
import { wordingIn } from '../sentences/wording.ts';
import { type Cell, moment } from '../writers/xlsx/cells.ts';
import { columnsOf } from '../writers/xlsx/table.ts';
import type { WorkbookContent } from '../writers/xlsx.ts';

type List = { filters: FilterInput; sort: ListSort; userId: string | null };

/** Returns the content of a workbook of a list besides its findings: its names, and a sheet with its filters. */
export async function describeList(
  db: Db,
  orgId: string,
  { filters, sort, userId }: List,
): Promise<Pick<WorkbookContent, 'head' | 'tables'>> {
  const dataSources = await listDataSources(db, orgId);
  const types = [...listDetectors(), ...(await listPushSources(db, orgId))].map(({ type }) => type);
  const { organization, author, names } = await nameFilters(db, orgId, filters, {
    author: userId,
    types,
    dataSources,
  });
  const head = {
    title: 'Findings',
    organization: { id: orgId, name: organization },
    taken_at: formatTime(new Date()),
    source_names: names.sources,
  };
  const rows: Cell[][] = [
    ['Organization', organization],
    ['Exported by', author],
    ['Exported (UTC)', moment(head.taken_at)],
    ['Order', listOrders[sort].label.en],
    ...describeFilters(filters, names, wordingIn('en')).map(({ label, values }) => [
      `Filter: ${label}`,
      values.join('\n'),
    ]),
  ];
  return { head, tables: [{ name: 'List', columns: columnsOf(['Item', 36], ['Value', 40]), rows }] };
}
