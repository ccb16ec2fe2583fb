import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { criticalities } from '../../data-sources/importance.ts';
import { auditActor, recordAudit } from '../../organization/audit.ts';
import { findOrganization, type OrganizationRow } from '../../organization/queries.ts';
import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { nullable } from '../../platform/http/schema.ts';
import { defaultPolicy, type Policy } from '../policy.ts';
import { findPolicyStatement, type PolicyRow, policyOf, replacePolicy } from '../policy-queries.ts';
import { severities } from '../severity.ts';

const days = nullable(Type.Integer({ minimum: 1, maximum: 3650 }), {
  description: 'Days from the first sighting, or from the last reopening; null for no due date.',
});

/** In requests, schemas are closed and need names of their own: `end` of each name. */
function policySchema($id: string, end: string) {
  const byCriticality = Type.Object(Object.fromEntries(criticalities.map((name) => [name, days])), {
    $id: `DaysByCriticality${end}`,
    description: 'The days to fix, by the criticality of the data source.',
  });
  const daysToFix = Type.Object(Object.fromEntries(severities.map((name) => [name, byCriticality])), {
    $id: `DaysToFix${end}`,
    description: 'The days to fix a finding, by its severity and the criticality of its data source.',
  });
  const acceptedRisk = Type.Object(
    {
      max_days: nullable(Type.Integer({ minimum: 1, maximum: 3650 }), {
        description: 'The maximum number of days for which people can accept a risk; null for no limit.',
      }),
      reason_required: Type.Boolean({ description: 'Whether they must add a comment.' }),
    },
    { $id: `AcceptedRiskPolicy${end}`, description: 'The conditions for accepting a risk.' },
  );
  const test_grace_days = Type.Integer({
    minimum: 0,
    maximum: 3650,
    description: 'Days more for findings in test code, which the path shows.',
  });
  return Type.Object({ days_to_fix: daysToFix, test_grace_days, accepted_risk: acceptedRisk }, { $id });
}

const PolicyBody = policySchema('Policy', '');

const etag = {
  ETag: 'The version of the policy. Send it as `If-Match` to replace the policy only if it has not changed.',
};

const getPolicy = defineRoute({
  method: 'GET',
  path: '/organization/policy',
  operationId: 'getPolicy',
  tag: 'Organization',
  summary: 'Get the policy',
  description:
    'Returns how many days there are to fix findings and the conditions for accepting risks. An organization that has not decided has the default policy: 15 days for critical, 30 for high, 90 for medium and 180 for low severity in data sources of medium criticality, fewer in more critical ones.',
  extension: true,
  permission: { role: 'viewer', scope: 'organization:read' },
  responses: { 200: { schema: PolicyBody, description: 'The policy.', example: defaultPolicy, headers: etag } },
  errors: [],
  handler: async ({ actor: { orgId }, context, reply }) => {
    const rows = await context.database.single<PolicyRow>(orgId, findPolicyStatement(orgId));
    const { policy, version } = policyOf(rows);
    reply.header('etag', etagOf(version));
    return policy;
  },
});

const putPolicy = defineRoute({
  method: 'PUT',
  path: '/organization/policy',
  operationId: 'replacePolicy',
  tag: 'Organization',
  summary: 'Replace the policy',
  description:
    'Sets the whole policy. The due dates of all findings are computed again in the background, which takes minutes for a million findings and changes neither their `updated_at` nor their version. The conditions for accepting risks apply to later decisions.',
  extension: true,
  permission: { role: 'admin', scope: 'organization:write' },
  body: policySchema('PolicyReplacement', 'Input'),
  requestExample: defaultPolicy,
  responses: { 200: { schema: PolicyBody, description: 'The new policy.', example: defaultPolicy, headers: etag } },
  errors: ['precondition_failed'],
  handler: ({ actor, body, request, reply, transaction }) =>
    transaction(async (tx) => {
      const { before, row } = await replacePolicy(tx, actor.orgId, ({ version }) => {
        requireMatch(request, version);
        return body as Policy;
      });
      const { name } = (await tx.query<OrganizationRow>(findOrganization(actor.orgId))).rows[0]!;
      await recordAudit(tx, actor.orgId, {
        actor: auditActor(actor),
        action: 'policy.updated',
        target: { id: actor.orgId, name },
        before,
        after: row.policy,
      });
      reply.header('etag', etagOf(row.version));
      return row.policy;
    }),
});

export const policyRoutes = [getPolicy, putPolicy];
