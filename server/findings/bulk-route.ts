import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { ApiError, invalid } from '../platform/errors.ts';
import { exactlyOne, idOf } from '../platform/http/schema.ts';
import { decisionProperties, readDecision } from './decision-input.ts';
import { filterProperties, readFilters } from './read-filters.ts';
import { triageFindings } from './triage-findings.ts';
import { listIds } from './triage-queries.ts';

const FindingFilter = Type.Object(filterProperties, {
  minProperties: 1,
  $id: 'FindingFilter',
  description: 'The filters of the list of findings, with several values as an array. Selects all findings that match.',
});

const ids = Type.Array(idOf('fnd'), { minItems: 1, maxItems: 1000, description: 'Up to 1,000 finding ids.' });

const BulkUpdate = exactlyOne(
  [
    Type.Object({ ids, ...decisionProperties }, { $id: 'FindingBulkUpdateByIds' }),
    Type.Object({ filter: FindingFilter, ...decisionProperties }, { $id: 'FindingBulkUpdateByFilter' }),
  ],
  { $id: 'FindingBulkUpdate', description: 'The findings, by `ids` or by `filter`, and the fields to set.' },
);

const BulkUpdateResult = Type.Object(
  {
    updated: Type.Integer({
      description: 'How many findings changed. Findings that already had these values are not counted.',
    }),
  },
  { $id: 'FindingBulkUpdateResult' },
);

const refuseFilter = (field: string, message: string) => invalid('body', `filter.${field}`, message);

export const bulkRoute = defineRoute({
  method: 'PATCH',
  path: '/findings',
  operationId: 'updateFindings',
  tag: 'Findings',
  summary: 'Update many findings',
  description:
    'Sets the same fields on many findings, given by either `ids` or `filter`, in one transaction. If one id is unknown, the response is 404 and nothing changes.',
  extension: true,
  permission: { role: 'analyst', scope: 'findings:write' },
  body: BulkUpdate,
  requestExample: { filter: { rule: ['generic-password'], status: ['new'] }, status: 'triaged', tags: ['q3'] },
  responses: { 200: { schema: BulkUpdateResult, description: 'How many changed.', example: { updated: 42 } } },
  errors: ['not_found'],
  handler: ({ actor, body, transaction }) =>
    transaction(async (tx) => {
      const { ids, filter, ...input } = { ids: undefined, filter: undefined, ...body };
      if (Object.keys(input).length === 0)
        throw invalid('body', 'status', 'give something to update: status, tags, assignee, comment');
      const decision = await readDecision(tx, actor.orgId, input);
      const wanted = ids
        ? [...new Set(ids)]
        : await listIds(tx, actor.orgId, await readFilters(tx, actor, filter!, refuseFilter));
      const unknown = () =>
        new ApiError(
          'not_found',
          'Findings not found: check that every id belongs to this organization. Nothing was updated.',
        );
      const { found, changed } = await triageFindings(tx, actor.orgId, actor.userId, wanted, decision);
      if (ids && found < wanted.length) throw unknown();
      return { updated: changed };
    }),
});
