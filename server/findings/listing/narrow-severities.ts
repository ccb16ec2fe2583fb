import { Parameters } from '../filter.ts';
import { preparedByText } from '../filters/select.ts';
import { ranksOf, severityName } from '../severity.ts';
import { leadingFilter } from './choose-walk.ts';
import type { RunStatement } from './list-steps.ts';
import type { ListRequest } from './list-walks.ts';

/**
 * Returns the request with the severities that the findings of its rule, data source or assignee have. Rules have few: a list by priority
 * then passes no findings of severities above them.
 */
export async function narrowSeverities<Request extends ListRequest>(
  run: RunStatement,
  orgId: string,
  request: Request,
): Promise<Request> {
  const lead = request.sort === '-priority' ? leadingFilter(request.filters) : undefined;
  if (!lead) return request;
  const parameters = new Parameters(orgId);
  const text = `SELECT severity FROM unnest(${parameters.add(ranksOf(request.filters.severity))}::smallint[]) AS ranks(severity)
    CROSS JOIN LATERAL (SELECT FROM findings f WHERE f.org_id = $1 AND f.${lead.column} = ${parameters.add(lead.value)}
      AND f.severity = ranks.severity LIMIT 1) one`;
  const rows = await run<{ severity: number }>(preparedByText(text, parameters.values));
  return { ...request, filters: { ...request.filters, severity: rows.map(({ severity }) => severityName(severity)) } };
}
