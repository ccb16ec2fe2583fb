import { severities } from '@assay/scanner/contract/severity.ts';
import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { nullable } from '../../platform/http/schema.ts';
import { whileConnected } from '../../platform/http/while-connected.ts';
import { autocommit } from '../../platform/postgres/database.ts';
import { sealDays } from '../change-clock.ts';
import { filterProperties, readFilters } from '../filters/read.ts';
import { isLasting } from './figure-cache.ts';
import { findProgress, type Moves, maxMoved, type Repairs } from './progress.ts';

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) });

const repairs = {
  fixed: count('Findings that were resolved, each time counted.'),
  mean_days: nullable(Type.Number(), { description: 'Mean of the days from opening to fix; null without a fix.' }),
  p90_days: nullable(Type.Number(), { description: 'Nine of ten were fixed within this number of days.' }),
  due_kept: count('Fixed by their due time, as it was then.'),
  due_missed: count('Fixed after it. Findings without a due time count in neither.'),
};
const Before = Type.Object(repairs, {
  $id: 'RepairsBefore',
  description: 'The same of as many days before.',
});
const RepairsSchema = Type.Object({ ...repairs, before: Before }, { $id: 'Repairs' });

const moves = {
  new: count('First seen.'),
  reopened: count(),
  fixed: count(),
  dismissed: count('Accepted as a risk, or a false positive.'),
  removed: count('Closed because their data source was deleted.'),
  change: Type.Integer({ description: 'How many more findings were open at the end than at the start.' }),
};
const MovesSchema = Type.Object(moves, { $id: 'FindingMoves' });
const NamedMoves = Type.Object({ id: Type.String(), name: Type.String(), ...moves }, { $id: 'NamedFindingMoves' });
const namedMoves = (of: string) =>
  Type.Array(NamedMoves, {
    maxItems: maxMoved,
    description: `The ${maxMoved} ${of} whose open findings changed most, the one that grew most first.`,
  });

const FindingProgress = Type.Object(
  {
    from: Type.String({ description: 'The first day (UTC), `YYYY-MM-DD`.', examples: ['2026-01-25'] }),
    repairs: RepairsSchema,
    repairs_by_severity: Type.Object(
      Object.fromEntries(severities.map((severity) => [severity, RepairsSchema])) as Record<
        string,
        typeof RepairsSchema
      >,
      { $id: 'RepairsBySeverity' },
    ),
    moves: MovesSchema,
    by_data_source: namedMoves('data sources'),
    by_rule: namedMoves('rules'),
  },
  { $id: 'FindingProgress' },
);

const none: Repairs = { fixed: 0, mean_days: null, p90_days: null, due_kept: 0, due_missed: 0 };
const some: Repairs = { fixed: 3, mean_days: 4.5, p90_days: 9, due_kept: 2, due_missed: 1 };
const moved: Moves = { new: 4, reopened: 1, fixed: 3, dismissed: 0, removed: 0, change: 2 };

export const progressRoute = defineRoute({
  method: 'GET',
  path: '/findings/progress',
  operationId: 'getFindingProgress',
  tag: 'Findings',
  summary: 'Measure the progress of repairs',
  description:
    'Returns how findings opened and closed in the last days, by data source and rule, and how fast they were fixed: mean and 90th percentile of the days, and due dates kept, beside the same figures of as many days before. It has the same filters as the list. With filters by `severity`, `status`, `source` and `data_source` alone, each change counts by the severity that the finding had at that time, except `new`, which counts by the present one.',
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  readsReplica: true,
  query: {
    ...filterProperties,
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 366, default: 28, description: 'Number of days, today included.' }),
    ),
  },
  responses: {
    200: {
      schema: FindingProgress,
      description: 'The figures.',
      example: {
        from: '2026-01-25',
        repairs: { ...some, before: none },
        repairs_by_severity: Object.fromEntries(
          severities.map((severity) => [severity, { ...(severity === 'high' ? some : none), before: none }]),
        ),
        moves: moved,
        by_data_source: [{ id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5j', name: 'payments-api', ...moved }],
        by_rule: [{ id: 'aws-access-token', name: 'AWS access key', ...moved }],
      },
    },
  },
  errors: [],
  handler: async ({ actor: { orgId, ...actor }, query, reads, reply, context: { figures, database, columns } }) => {
    const { days = 28, ...given } = query;
    const filters = await readFilters(autocommit(reads, orgId), { orgId, ...actor }, given);
    const minute = Math.floor(Date.now() / 60_000);
    const question = isLasting(filters) ? ['progress', filters, days, minute] : null;
    await sealDays(database, orgId, reply.log);
    return figures.read(reads, orgId, { question, signal: whileConnected(reply) }, (signal) =>
      findProgress(reads, orgId, filters, days, { columns, signal }),
    );
  },
});
