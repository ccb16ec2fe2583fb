import { severities } from '@assay/scanner/contract/severity.ts';
import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { enumeration, nullable, page, pageParameters, time } from '../../platform/http/schema.ts';
import { whileConnected } from '../../platform/http/while-connected.ts';
import { autocommit } from '../../platform/postgres/database.ts';
import { formatTimeOrNull } from '../../platform/times.ts';
import { readMomentOf, withMoment } from '../filters/moment.ts';
import { filterProperties, readFilters } from '../filters/read.ts';
import { SeverityCounts } from './count-schema.ts';
import { isLasting } from './figure-cache.ts';
import { type GroupRow, groupings, listNamedGroups } from './groups.ts';

const FindingGroup = Type.Object(
  {
    value: Type.String({
      description: 'The value, as the filter takes it: an id of a rule or data source, or a name.',
    }),
    label: nullable(Type.String(), { description: 'The name of what the value is the id of.' }),
    count: Type.Integer({ minimum: 0 }),
    by_severity: SeverityCounts,
    last_seen_at: nullable(time('The newest completed scan that saw one of them.')),
  },
  { $id: 'FindingGroup' },
);

const example = {
  value: 'aws-access-token',
  label: 'AWS access key',
  count: 4,
  by_severity: { critical: 1, high: 3, medium: 0, low: 0, info: 0 },
  last_seen_at: '2026-02-01T02:00:07Z',
};

export const groupsRoute = defineRoute({
  method: 'GET',
  path: '/findings/groups',
  operationId: 'listFindingGroups',
  tag: 'Findings',
  summary: 'List groups of findings',
  description:
    'The findings of the list by the value of a filter, the largest group first. Findings without a value, such as a package, are in no group. Counts are exact. A group whose count changes while you read may be returned twice or skipped.',
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  readsReplica: true,
  query: {
    ...filterProperties,
    by: enumeration(groupings, {
      $id: 'FindingGrouping',
      description: 'The property that the findings of a group share.',
    }),
    ...pageParameters,
  },
  responses: {
    200: {
      schema: page(FindingGroup, 'FindingGroup'),
      description: 'A page of groups.',
      example: { data: [example], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId, ...actor }, query, reads, reply, context: { cursors, figures, columns } }) => {
    const { by, limit, next_cursor, ...given } = query;
    const binding = { operation: 'listFindingGroups', orgId, filters: { ...given, by } };
    const { now, position } = readMomentOf(next_cursor === undefined ? null : cursors.decode(binding, next_cursor));
    const after = position && { rows: Number(position[0]), value: String(position[1]) };
    const filters = await readFilters(autocommit(reads, orgId), { orgId, ...actor }, given, { now });
    const question = isLasting(filters) ? ['groups', by, filters, after, limit] : null;
    const { groups, names } = await figures.read(reads, orgId, { question, signal: whileConnected(reply) }, (signal) =>
      listNamedGroups(reads, orgId, { columns, by, filters, after, limit: limit + 1, signal }),
    );
    const shown = groups.slice(0, limit);
    const view = ({ value, rows, bySeverity, lastSeenAt }: GroupRow) => ({
      value,
      label: names.get(`${by} ${value}`) ?? null,
      count: rows,
      by_severity: Object.fromEntries(severities.map((severity, index) => [severity, bySeverity[index]!])),
      last_seen_at: formatTimeOrNull(lastSeenAt),
    });
    const last = groups.length > limit ? shown.at(-1) : undefined;
    const cursor = last ? cursors.encode(binding, withMoment([last.rows, last.value], now, given)) : null;
    return { data: shown.map(view), next_cursor: cursor };
  },
});
