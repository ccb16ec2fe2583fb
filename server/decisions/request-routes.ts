import Type, { type Static } from 'typebox';
import { defineRoute } from '../context.ts';
import { ApiError } from '../platform/errors.ts';
import type { Actor } from '../platform/http/actor.ts';
import { idOf, nullable } from '../platform/http/schema.ts';
import type { Db } from '../platform/postgres/database.ts';
import { previewDecisions } from './apply-decisions.ts';
import { type Approvable, approve, type ReadRequest, reject, requireToApprove } from './approval.ts';
import { Decision, DecisionPreview, decisionExample, decisionOf, previewExample } from './decision-schema.ts';

const tag = 'Decisions';
const params = { id: idOf('dec') };
const permission = { role: 'analyst', scope: 'findings:write' } as const;

const version = Type.Integer({
  minimum: 1,
  description:
    'The `version` of the request that you have read. If the request has changed since, the response is 409.',
});
const answer = Type.Optional(
  Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'A message to the requester.' }),
);
const bodyOf = ($id: string) => Type.Object({ version, answer }, { $id });

const approvedExample = {
  ...decisionExample,
  version: 2,
  approved_by: { id: 'usr_01jd3q5r8wf0ht6vsx2p9k4m7p', name: 'Grace Hopper' },
  approved_at: '2026-02-01T08:00:00Z',
} as const;

const approveRoute = defineRoute({
  method: 'POST',
  path: '/decisions/{id}/approve',
  operationId: 'approveDecision',
  tag,
  summary: 'Approve a requested decision',
  description:
    'Turns the request of another person into an active decision. If a finding in its scope has a severity for which the policy requires approval, this needs the role that the policy names, otherwise the role analyst. You cannot approve your own request. Of two simultaneous approvals, one takes effect and the other returns 409.',
  extension: true,
  permission,
  params,
  body: bodyOf('DecisionApproval'),
  requestExample: { version: 1 },
  responses: { 200: { schema: Decision, description: 'The active decision.', example: approvedExample } },
  errors: ['not_found', 'conflict', 'own_request', 'limit_reached'],
  handler: ({ actor, params: { id }, body: { version, answer = null }, transaction }) =>
    transaction(async (tx) =>
      decisionOf(await approve(tx, actor, await requireToApprove(tx, actor, { id, version }), answer)),
    ),
});

const rejectRoute = defineRoute({
  method: 'POST',
  path: '/decisions/{id}/reject',
  operationId: 'rejectDecision',
  tag,
  summary: 'Reject a requested decision',
  description: 'Ends the request of another person without effect. It needs the same role as approving it.',
  extension: true,
  permission,
  params,
  body: bodyOf('DecisionRejection'),
  requestExample: { version: 1, answer: 'The code is deployed since May.' },
  responses: {
    200: {
      schema: Decision,
      description: 'The rejected request.',
      example: {
        ...decisionExample,
        status: 'rejected',
        version: 2,
        findings: 0,
        ended_at: '2026-02-01T08:00:00Z',
        ended_by: approvedExample.approved_by,
        answer: 'The code is deployed since May.',
      },
    },
  },
  errors: ['not_found', 'conflict', 'own_request'],
  handler: ({ actor, params: { id }, body: { version, answer = null }, transaction }) =>
    transaction(async (tx) => decisionOf(await reject(tx, actor, { id, version }, answer))),
});

const Refused = Type.Object(
  { id: idOf('dec'), code: Type.String(), message: Type.String() },
  { $id: 'RefusedApproval', description: 'A request that is not approved, with the code of an error and the reason.' },
);

const Approvals = Type.Object(
  {
    approved: Type.Array(idOf('dec'), { description: 'The requests that were approved or, with `dry_run`, would be.' }),
    refused: Type.Array(Refused, { description: 'The others. They stay as they are.' }),
    preview: nullable(DecisionPreview, {
      description: 'With `dry_run`, the findings in the scopes of the requests that would be approved.',
    }),
  },
  { $id: 'DecisionApprovals' },
);

const ApprovalsRequest = Type.Object(
  {
    decisions: Type.Array(Type.Object({ id: idOf('dec'), version }, { $id: 'RequestToApprove' }), {
      minItems: 1,
      maxItems: 100,
    }),
    answer,
    dry_run: Type.Optional(Type.Boolean({ description: 'Whether to write nothing and return a preview.' })),
  },
  { $id: 'DecisionApprovalsRequest' },
);

type Outcome = Static<typeof Approvals>;

/** Runs `act` for each item and collects refusals, so that one does not stop the others. Returns the results by id. */
async function forEach<Item, Done>(
  items: Iterable<[id: string, Item]>,
  refused: Outcome['refused'],
  act: (item: Item) => Promise<Done>,
): Promise<Map<string, Done>> {
  const done = new Map<string, Done>();
  for (const [id, item] of items) {
    try {
      done.set(id, await act(item));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push({ id, code: error.code, message: error.message });
    }
  }
  return done;
}

type ApprovalsInput = Static<typeof ApprovalsRequest>;

async function approveAll(tx: Db, actor: Actor, input: ApprovalsInput): Promise<Outcome> {
  const { decisions, answer = null, dry_run: isDry } = input;
  const refused: Outcome['refused'] = [];
  const read = decisions.map((one) => [one.id, one] as const);
  // All are checked before the first change: from then on merges wait for this transaction.
  const found = await forEach<ReadRequest, Approvable>(new Map(read), refused, (one) =>
    requireToApprove(tx, actor, one),
  );
  if (!isDry) {
    const approved = await forEach(found, refused, (one) => approve(tx, actor, one, answer));
    return { approved: [...approved.keys()], refused, preview: null };
  }
  const requests = [...found.values()].map(({ request }) => request);
  return { approved: [...found.keys()], refused, preview: await previewDecisions(tx, actor.orgId, requests) };
}

const approveMany = defineRoute({
  method: 'POST',
  path: '/decisions/approvals',
  operationId: 'approveDecisions',
  tag,
  summary: 'Approve several requested decisions',
  description:
    'Approves up to 100 requests of other people, each as `POST /decisions/{id}/approve` does. Requests that can’t be approved are returned with the reason. With `dry_run`, nothing is written; the response counts the findings in the scopes of the requests that can be approved, each once.',
  extension: true,
  permission,
  body: ApprovalsRequest,
  requestExample: { decisions: [{ id: decisionExample.id, version: 1 }], dry_run: true },
  responses: {
    200: {
      schema: Approvals,
      description: 'The approved requests, and the others with the reason.',
      example: { approved: [decisionExample.id], refused: [], preview: previewExample },
    },
  },
  errors: [],
  handler: ({ actor, body, transaction }) => transaction((tx) => approveAll(tx, actor, body)),
});

export const requestRoutes = [approveMany, approveRoute, rejectRoute];
