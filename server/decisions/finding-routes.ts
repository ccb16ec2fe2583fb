import Type from 'typebox';
import { defineRoute } from '../context.ts';
import {
  decisionProperties,
  readDecision,
  requireApproval,
  requireOpen,
  requireTriage,
  requireVersion,
} from '../findings/decision-input.ts';
import { FindingDetail, findingDetailExample, maxAlso } from '../findings/finding-schema.ts';
import type { LockedFinding } from '../findings/merge-queries.ts';
import { findFinding } from '../findings/queries.ts';
import { notFound } from '../platform/errors.ts';
import { etagOf } from '../platform/http/etag.ts';
import { RawJson } from '../platform/http/raw-json.ts';
import { idOf } from '../platform/http/schema.ts';
import { isId } from '../platform/id.ts';
import { type Db, sentTogether } from '../platform/postgres/database.ts';
import { formatTimeOrNull } from '../platform/times.ts';
import { updateFinding } from './decide-finding.ts';
import { listAlso } from './matching.ts';

const idParameter = { id: idOf('fnd') };
const noFinding = () => notFound('The finding was');

/** Returns a finding with its detail fields and sets its ETag. */
async function sendFinding(db: Db, orgId: string, id: string, setEtag: (etag: string) => unknown): Promise<RawJson> {
  if (!isId('fnd', id)) throw noFinding();
  const [found, others] = await sentTogether([findFinding(db, orgId, id), listAlso(db, orgId, id)]);
  if (!found) throw noFinding();
  setEtag(etagOf(found.version));
  const also = others.map(({ id, outcome, justification, until }) => ({
    ...{ id, outcome, justification, until: formatTimeOrNull(until) },
  }));
  return new RawJson(`${found.json.slice(0, -1)},"also":${JSON.stringify(also.slice(0, maxAlso))}}`);
}

const get = defineRoute({
  method: 'GET',
  path: '/findings/{id}',
  operationId: 'getFinding',
  tag: 'Findings',
  summary: 'Get one finding',
  description: 'Returns the finding with its code, flow and fix, and the places in which it occurs.',
  permission: { role: 'viewer', scope: 'findings:read' },
  params: idParameter,
  responses: {
    200: {
      schema: FindingDetail,
      description: 'The finding.',
      example: findingDetailExample,
      headers: { ETag: 'Its version.' },
    },
  },
  errors: ['not_found'],
  handler: ({ actor, params, context, reply }) =>
    context.database.transaction(actor.orgId, (tx) =>
      sendFinding(tx, actor.orgId, params.id, (etag) => reply.header('etag', etag)),
    ),
});

const update = defineRoute({
  method: 'PATCH',
  path: '/findings/{id}',
  operationId: 'updateFinding',
  tag: 'Findings',
  summary: 'Update a finding',
  description:
    'Sets the fields that the body contains, all or none; `comment` adds a comment. Any status may follow any other. The statuses `false_positive` and `accepted_risk` make a decision about the finding (`/decisions`), with the comment as its reason and `accepted_until` as its end; another status withdraws it. A developer sets `in_progress` on open findings and comments; other changes need the role `analyst`.',
  permission: { role: 'developer', scope: 'findings:write' },
  params: idParameter,
  bodyLimit: 256 * 1024,
  body: Type.Object(decisionProperties, { minProperties: 1, $id: 'FindingUpdate' }),
  requestExample: {
    status: 'false_positive',
    justification: 'test_or_example',
    comment: 'A test fixture: the key was never live.',
  },
  responses: {
    200: {
      schema: FindingDetail,
      description: 'The updated finding.',
      example: {
        ...findingDetailExample,
        status: 'false_positive',
        closed_at: '2026-02-02T10:00:00Z',
        comment_count: 1,
      },
      headers: { ETag: 'Its version.' },
    },
  },
  errors: ['not_found', 'precondition_failed'],
  handler: ({ actor, params, body, request, reply, transaction }) =>
    transaction(async (tx) => {
      if (!isId('fnd', params.id)) throw noFinding();
      requireTriage(actor, body);
      const decision = await readDecision(tx, actor.orgId, body);
      const isOfVersion = requireVersion(request);
      const isApproved = await requireApproval(tx, actor.orgId, decision);
      const guard = (finding: LockedFinding) => {
        isOfVersion(finding);
        requireOpen(actor, finding, decision);
        isApproved(finding);
      };
      const read = () => sendFinding(tx, actor.orgId, params.id, (etag) => reply.header('etag', etag));
      const updated = await updateFinding(tx, actor.orgId, actor.userId, params.id, decision, guard, read);
      if (!updated) throw noFinding();
      return updated;
    }),
});

export const oneFindingRoutes = [get, update];
