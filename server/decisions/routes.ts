import Type, { type Static } from 'typebox';
import { defineRoute } from '../context.ts';
import { findPolicy } from '../findings/policy-queries.ts';
import { invalid } from '../platform/errors.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { idOf, pageParameters, timeInput } from '../platform/http/schema.ts';
import { autocommit } from '../platform/postgres/database.ts';
import { readTime, timeExpectation } from '../platform/times.ts';
import { type Preview, previewDecisions } from './apply-decisions.ts';
import { maxActive, requireDecision } from './approval.ts';
import { changeDecision, makeDecision, readCreation, withdrawDecision } from './change-decision.ts';
import {
  Decision,
  DecisionCreation,
  DecisionPage,
  DecisionPreview,
  DecisionUpdate,
  decisionExample,
  decisionOf,
  previewExample,
  statusParameter,
} from './decision-schema.ts';
import { listDecisions } from './queries.ts';
import { requestRoutes } from './request-routes.ts';
import { ruleRoutes } from './rule-routes.ts';

const tag = 'Decisions';
const params = { id: idOf('dec') };
const read = { role: 'viewer', scope: 'findings:read' } as const;
const write = { role: 'viewer', scope: 'findings:write' } as const;

const list = defineRoute({
  method: 'GET',
  path: '/decisions',
  operationId: 'listDecisions',
  tag,
  summary: 'List decisions',
  description:
    'Returns decisions, newest first: those that hold, and with `status` those that are requested or have ended.',
  extension: true,
  permission: read,
  query: {
    status: Type.Optional(statusParameter),
    single: Type.Optional(
      Type.Boolean({ description: 'Only decisions that updates of a finding made, or only the others (`false`).' }),
    ),
    until_to: Type.Optional(timeInput('Only decisions that end by themselves at or before this time.')),
    ...pageParameters,
  },
  responses: {
    200: {
      schema: DecisionPage,
      description: 'A page of decisions.',
      example: { data: [decisionExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query, context }) => {
    const { limit, next_cursor: cursor, status: statuses = ['active'], single = null, until_to: untilTo } = query;
    const endsBy = untilTo === undefined ? null : readTime(untilTo);
    if (untilTo !== undefined && !endsBy) throw invalid('query', 'until_to', timeExpectation);
    const binding = {
      operation: 'listDecisions',
      orgId,
      filters: {
        status: statuses.toSorted(),
        ...(single !== null && { single }),
        ...(untilTo && { until_to: untilTo }),
      },
    };
    const beforeId = cursor === undefined ? null : String(context.cursors.decode(binding, cursor)[0]);
    const db = autocommit(context.database, orgId);
    const rows = await listDecisions(db, orgId, { statuses, single, endsBy, beforeId, limit: limit + 1 });
    const { data, next_cursor } = pageOf(rows, limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map(decisionOf), next_cursor };
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/decisions/{id}',
  operationId: 'getDecision',
  tag,
  summary: 'Get a decision',
  description: 'Returns a decision with the number of findings for which it holds.',
  extension: true,
  permission: read,
  params,
  responses: { 200: { schema: Decision, description: 'The decision.', example: decisionExample } },
  errors: ['not_found'],
  handler: async ({ actor: { orgId }, params: { id }, context }) =>
    decisionOf(await requireDecision(autocommit(context.database, orgId), orgId, id)),
});

const { outcome, justification, reason, scope, ends_when } = decisionExample;
const requestExample = { outcome, justification, reason, scope, ends_when };

const create = defineRoute({
  method: 'POST',
  path: '/decisions',
  operationId: 'createDecision',
  tag,
  summary: 'Decide about findings',
  description: `Makes a decision about the findings in its scope: present ones within seconds, and future ones as scans and imports report them. It changes open findings; statuses that people set on single findings stay. Of several decisions that match a finding, the one with the narrower scope applies (findings, then paths, then packages with versions, packages, rules and identifiers; a data source, tag or detection source narrows each further), then the newer one. An organization can have ${maxActive.toLocaleString('en')} active decisions. With \`dry_run\`, the response counts the findings in its scope, with ten samples, and nothing is written.

Deciding needs the role analyst. For lower roles that the policy names, and for severities that the policy names, the response is a request with the status \`requested\`: it becomes active when another person approves it, and expires after 30 days. A decision that was made without approval never applies to findings of those severities.`,
  extension: true,
  permission: write,
  bodyLimit: 256 * 1024,
  body: DecisionCreation,
  requestExample,
  status: 201,
  responses: {
    200: {
      schema: DecisionPreview,
      description: 'With `dry_run`: what it would be about. Nothing is written.',
      example: previewExample,
    },
    201: { schema: Decision, description: 'The new decision.', example: decisionExample },
  },
  errors: ['limit_reached'],
  handler: async ({ actor, body, reply, context, transaction }): Promise<Static<typeof Decision> | Preview> => {
    const { orgId } = actor;
    const db = autocommit(context.database, orgId);
    const wanted = readCreation(actor, body, await findPolicy(db, orgId));
    if (!body.dry_run) return transaction(async (tx) => decisionOf(await makeDecision(tx, actor, wanted)));
    reply.code(200);
    return previewDecisions(db, orgId, [wanted]);
  },
});

const update = defineRoute({
  method: 'PATCH',
  path: '/decisions/{id}',
  operationId: 'updateDecision',
  tag,
  summary: 'Change a decision',
  description:
    'Changes the reason of an active decision, when it ends, or the conditions that end it. Changes any part of your own request; the new version must be read before it is approved. To change the scope of a decision, withdraw it and create another. Where the policy requires approval, a change that extends a decision returns 409: request another.',
  extension: true,
  permission: write,
  params,
  body: DecisionUpdate,
  requestExample: { until: '2027-01-31T00:00:00Z' },
  responses: {
    200: {
      schema: Decision,
      description: 'The changed decision.',
      example: { ...decisionExample, until: '2027-01-31T00:00:00Z' },
    },
  },
  errors: ['not_found', 'conflict'],
  handler: ({ actor, params: { id }, body, transaction }) =>
    transaction(async (tx) => decisionOf(await changeDecision(tx, actor, id, body))),
});

const withdraw = defineRoute({
  method: 'DELETE',
  path: '/decisions/{id}',
  operationId: 'withdrawDecision',
  tag,
  summary: 'Withdraw a decision',
  description:
    'Ends a decision (role analyst), or your own request. Where another decision matches a finding, it takes over; all other findings are open again when the response arrives: allow about a second per 10,000 of them. Changes that people made to a finding meanwhile stay. The decision itself is kept.',
  extension: true,
  permission: write,
  params,
  responses: { 204: { description: 'The decision is withdrawn.' } },
  errors: ['not_found', 'conflict'],
  handler: ({ actor, params: { id }, transaction }) => transaction((tx) => withdrawDecision(tx, actor, id)),
});

export const decisionRoutes = [list, get, create, update, withdraw, ...requestRoutes, ...ruleRoutes];
