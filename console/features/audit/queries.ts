import type { AuditEvent, AuditEventListParams } from '@assay/client';
import { assay } from '../../api/client.ts';
import { pagesQuery } from '../../api/pages.ts';

export type Filters = { action?: string; actor?: string; target?: string; from?: string; to?: string };

export const filterNames = ['action', 'actor', 'target', 'from', 'to'] as const;

/** The filters in the API's form, with days converted to times. */
export function queryOf(filters: Filters): Filters {
  const entries = filterNames.map((name): [string, string | undefined] => {
    const value = filters[name]?.trim();
    const time = name === 'from' ? 'T00:00:00Z' : name === 'to' ? 'T23:59:59Z' : '';
    return [name, value && value + time];
  });
  return Object.fromEntries(entries.filter(([, value]) => value));
}

/** The matching events, newest first, page by page. */
export function eventPages(filters: Filters) {
  const query = queryOf(filters);
  return pagesQuery<AuditEvent>(['audit-events', query], (cursor, options) =>
    assay.auditEvents.list({ ...query, limit: 100, ...cursor } as AuditEventListParams, options),
  );
}
