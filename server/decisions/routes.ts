import Type, { type Static } from 'typebox';
import { defineRoute } from '../context.ts';
import { findPolicy } from '../findings/policy-queries.ts';
import { auditActor, recordAudit } from '../organization/audit.ts';
import { ApiError, invalid, notFound } from '../platform/errors.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { idOf, pageParameters } from '../platform/http/schema.ts';
import { isId, newId } from '../platform/id.ts';
import { requireRoom } from '../platform/limits.ts';
import { autocommit, type Database, type Db } from '../platform/postgres/database.ts';
import { type Preview, previewDecision } from './apply-decisions.ts';
import {
  Decision,
  DecisionCreation,
  DecisionPage,
  DecisionPreview,
  DecisionUpdate,
  decisionExample,
  decisionOf,
  previewExample,
  readUntil,
  requireScope,
  statusParameter,
} from './decision-schema.ts';
import { enqueueFollowing } from './job-type.ts';
import { endAndRelease } from './jobs.ts';
import {
  type ActiveDecision,
  countActive,
  type DecisionRow,
  findDecision,
  insertDecision,
  listDecisions,
  lockDecisions,
  updateDecision,
} from './queries.ts';
import { rankOf, type Scope } from './scope.ts';

const tag = 'Decisions';
const params = { id: idOf('dec') };
const read = { role: 'viewer', scope: 'findings:read' } as const;
const write = { role: 'analyst', scope: 'findings:write' } as const;

const maxActive = 5_000;

async function requireDecision(db: Db, orgId: string, id: string): Promise<DecisionRow> {
  const row = isId('dec', id) ? await findDecision(db, orgId, id) : undefined;
  if (!row) throw notFound('Decision');
  return row;
}

const dayMs = 86_400_000;

/** Throws 400 for an acceptance that the organization's policy does not allow, as for a single finding. */
async function requireAllowed(db: Db, orgId: string, outcome: string, until: Date | null): Promise<void> {
  if (outcome !== 'accepted_risk') return;
  const { max_days: maxDays } = (await findPolicy(db, orgId)).accepted_risk;
  if (maxDays !== null && (!until || until.getTime() > Date.now() + maxDays * dayMs))
    throw invalid('body', 'until', `must be given and not be more than ${maxDays} days ahead: the policy limits it`);
}

const stateOf = (row: DecisionRow) => {
  const { status, outcome, justification, reason, scope, until, ends_when } = decisionOf(row);
  return { status, outcome, justification, reason, scope, until, ends_when };
};

const list = defineRoute({
  method: 'GET',
  path: '/decisions',
  operationId: 'listDecisions',
  tag,
  summary: 'List decisions',
  description: 'Returns decisions, newest first: those that hold, and with `status` those that have ended.',
  extension: true,
  permission: read,
  query: { status: Type.Optional(statusParameter), ...pageParameters },
  responses: {
    200: {
      schema: DecisionPage,
      description: 'A page of decisions.',
      example: { data: [decisionExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query: { limit, next_cursor: cursor, status = 'active' }, context }) => {
    const binding = { operation: 'listDecisions', orgId, filters: { status } };
    const beforeId = cursor === undefined ? null : String(context.cursors.decode(binding, cursor)[0]);
    const db = autocommit(context.database, orgId);
    const rows = await listDecisions(db, orgId, { status, beforeId, limit: limit + 1 });
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

/** Returns what a decision would be about. */
async function preview(database: Database, orgId: string, scope: Scope) {
  const decision: ActiveDecision = { id: '', outcome: 'triaged', scope, rank: 0, until: null, endsWhen: null };
  return previewDecision(autocommit(database, orgId), orgId, decision);
}

const create = defineRoute({
  method: 'POST',
  path: '/decisions',
  operationId: 'createDecision',
  tag,
  summary: 'Decide about findings',
  description: `Makes a decision that holds for the findings in its scope: those that are there, within seconds, and those that scans and imports bring later, as they come. It changes open findings; what people set on a finding itself stays. Of several decisions in whose scopes a finding is, the narrower holds (findings, then paths, then packages with versions, packages, rules and identifiers; a data source, tag or detection source on top narrows each), then the newer. An organization may have ${maxActive.toLocaleString('en')} decisions that hold. With \`dry_run\`, the response has the findings in its scope, with ten samples, and nothing is written.`,
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
    const { orgId, userId } = actor;
    const { outcome, justification = null, reason, scope, ends_when: endsWhen = null } = body;
    requireScope(scope);
    const until = readUntil(body.until);
    await requireAllowed(autocommit(context.database, orgId), orgId, outcome, until);
    if (body.dry_run) {
      reply.code(200);
      return preview(context.database, orgId, scope);
    }
    return transaction(async (tx) => {
      const limited = { kind: 'decisions', max: maxActive, what: 'decisions that hold' };
      await requireRoom(tx, orgId, limited, () => countActive(tx, orgId));
      await lockDecisions(tx, orgId);
      const id = newId('dec');
      const decision = { id, outcome, justification, reason, scope, rank: rankOf(scope), until, endsWhen };
      await insertDecision(tx, orgId, userId, decision);
      await enqueueFollowing(tx, orgId, id, userId);
      const row = await requireDecision(tx, orgId, id);
      const event = { actor: auditActor(actor), target: { id }, after: stateOf(row) };
      await recordAudit(tx, orgId, { ...event, action: 'decision.created' });
      return decisionOf(row);
    });
  },
});

const noLongerActive = () => new ApiError('conflict', 'The decision has ended. Make a new one.');

const update = defineRoute({
  method: 'PATCH',
  path: '/decisions/{id}',
  operationId: 'updateDecision',
  tag,
  summary: 'Change a decision',
  description:
    'Changes the reason, the end or the conditions that end a decision that holds. To change its scope, withdraw it and make another.',
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
    transaction(async (tx) => {
      const { orgId, userId } = actor;
      await lockDecisions(tx, orgId);
      const before = await requireDecision(tx, orgId, id);
      const until = body.until === undefined ? before.until : readUntil(body.until);
      if (body.until !== undefined) await requireAllowed(tx, orgId, before.outcome, until);
      const { reason = before.reason, ends_when: endsWhen = before.endsWhen } = body;
      if (!(await updateDecision(tx, orgId, id, { reason, until, endsWhen }))) throw noLongerActive();
      if (body.until !== undefined || body.ends_when !== undefined) await enqueueFollowing(tx, orgId, id, userId);
      const after = await requireDecision(tx, orgId, id);
      await recordAudit(tx, orgId, {
        ...{ actor: auditActor(actor), action: 'decision.updated', target: { id } },
        ...{ before: stateOf(before), after: stateOf(after) },
      });
      return decisionOf(after);
    }),
});

const withdraw = defineRoute({
  method: 'DELETE',
  path: '/decisions/{id}',
  operationId: 'withdrawDecision',
  tag,
  summary: 'Withdraw a decision',
  description:
    'Ends a decision. The next one in whose scope a finding is takes over; the others are open again: 10,000 in the same moment, more within seconds. What people set on a finding meanwhile stays. The decision itself is kept.',
  extension: true,
  permission: write,
  params,
  responses: { 204: { description: 'The decision is withdrawn.' } },
  errors: ['not_found', 'conflict'],
  handler: ({ actor, params: { id }, transaction }) =>
    transaction(async (tx) => {
      const { orgId, userId } = actor;
      const row = await requireDecision(tx, orgId, id);
      if (!(await endAndRelease(tx, orgId, id, userId))) throw noLongerActive();
      await recordAudit(tx, orgId, {
        ...{
          actor: auditActor(actor),
          action: 'decision.withdrawn',
          target: { id },
          before: stateOf(row),
          after: null,
        },
        details: { findings: row.findings },
      });
    }),
});

export const decisionRoutes = [list, get, create, update, withdraw];
