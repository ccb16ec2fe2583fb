import { severities } from '@assay/scanner/contract/severity.ts';
import Type, { type TSchema } from 'typebox';
import { defineRoute } from '../../context.ts';
import { criticalities } from '../../data-sources/importance.ts';
import { findSignIn } from '../../identity/session-queries.ts';
import { auditActor, recordAudit } from '../../organization/audit.ts';
import { changeSignInPolicy, type PolicyChanger } from '../../organization/change-sign-in-policy.ts';
import {
  findOrganizationPolicy,
  lockOrganizationPolicy,
  signInPolicyOf,
  updateStaleAfterDays,
} from '../../organization/policy-queries.ts';
import { findOrganization, type OrganizationRow } from '../../organization/queries.ts';
import { defaultSignInPolicy, requireSignInPolicy, type SignInPolicy } from '../../organization/sign-in-policy.ts';
import { signInPolicySchema } from '../../organization/sign-in-policy-schema.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { enumeration, nullable } from '../../platform/http/schema.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { Severity } from '../finding-schema.ts';
import { boundedCount } from '../live-columns/found.ts';
import { type DueRules, defaultPolicy, type Policy } from '../policy.ts';
import {
  comparePolicy,
  findPolicyStatement,
  type PolicyEffect,
  type PolicyRow,
  policyOf,
  replacePolicy,
} from '../policy-queries.ts';

const days = nullable(Type.Integer({ minimum: 1, maximum: 3650 }), {
  $id: 'DaysOrNever',
  description: 'Days from the first sighting, or from the last reopening; null for no due date.',
});

/** Request schemas are closed and need names that differ from those of responses: `end` is appended to each name. */
function policyProperties(end: string) {
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
  const repositoryFile = enumeration(['off', 'request', 'decide'], {
    $id: `RepositoryFilePolicy${end}`,
    description:
      'Whether `.assay/decisions.yaml` and the comments `assay:ignore` of a scanned repository have no effect, request decisions, or make them. A change takes effect with the next scan of each repository.',
  });
  const longestDays = nullable(Type.Integer({ minimum: 1, maximum: 3650 }), {
    description: 'The maximum number of days that a decision holds; null for no limit.',
  });
  const justificationRequired = Type.Boolean({
    description: 'Whether false positives and accepted risks need a `justification`.',
  });
  const optional = <Schema extends TSchema>(schema: Schema) => (end === '' ? schema : Type.Optional(schema));
  const decisions = Type.Object(
    {
      approval_from: nullable(Severity, {
        description:
          'From this severity on, a second person must approve what marks findings as false positives or accepts their risk; null for never.',
      }),
      approvers: enumeration(['analyst', 'admin'], {
        $id: `DecisionApprovers${end}`,
        description: 'The role from which people approve such a decision. Nobody approves their own.',
      }),
      who_may_request: enumeration(['viewer', 'developer'], {
        $id: `DecisionRequesters${end}`,
        description: 'The role from which people request decisions.',
      }),
      repository_file: optional(repositoryFile),
      longest_days: optional(longestDays),
      justification_required: optional(justificationRequired),
    },
    { $id: `DecisionPolicy${end}`, description: 'Who may request and approve decisions, and what they need.' },
  );
  const test_grace_days = Type.Integer({
    minimum: 0,
    maximum: 3650,
    description: 'Days more for findings in test code, which the path shows.',
  });
  const stale_after_days = Type.Integer({
    minimum: 1,
    maximum: 365,
    description: 'The days after which the last complete scan of a data source is too old (`stale`).',
  });
  const ofFindings = { days_to_fix: daysToFix, test_grace_days, accepted_risk: acceptedRisk };
  return { ...ofFindings, decisions, stale_after_days, sign_in: signInPolicySchema(end) };
}

const PolicyBody = Type.Object(policyProperties(''), { $id: 'Policy' });
const { sign_in, stale_after_days, decisions, ...findingProperties } = policyProperties('Input');
const PolicyReplacement = Type.Object(
  {
    ...findingProperties,
    decisions: Type.Optional(decisions),
    stale_after_days: Type.Optional(stale_after_days),
    sign_in: Type.Optional(sign_in),
    lock_out: Type.Optional(
      Type.Boolean({
        description: 'Whether to accept that the request itself would be refused by the new sign-in policy.',
      }),
    ),
  },
  { $id: 'PolicyReplacement' },
);

/** The fields of the body; its numbers are those of the schema. */
type PolicyInput = Omit<Policy, 'decisions'> & {
  decisions?: Pick<Policy['decisions'], 'approval_from' | 'approvers' | 'who_may_request'> &
    Partial<Policy['decisions']>;
  stale_after_days?: number;
  sign_in?: SignInPolicy;
  lock_out?: boolean;
};

const example = { ...defaultPolicy, stale_after_days: 7, sign_in: defaultSignInPolicy };

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
    'Returns how many days there are to fix findings, the conditions for accepting risks, who requests and approves decisions, the days after which a data source is stale, and the conditions for reaching the organization. An organization that has not decided has the default policy: 15 days for critical, 30 for high, 90 for medium and 180 for low severity in data sources of medium criticality, fewer in more critical ones; any sign-in, from any address.',
  extension: true,
  permission: { role: 'viewer', scope: 'organization:read' },
  responses: { 200: { schema: PolicyBody, description: 'The policy.', example, headers: etag } },
  errors: [],
  handler: ({ actor: { orgId }, reply, transaction }) =>
    transaction(async (tx) => {
      const { policy, version } = policyOf((await tx.query<PolicyRow>(findPolicyStatement(orgId))).rows);
      const { sign_in, stale_after_days, policy_version } = (await findOrganizationPolicy(tx, orgId))!;
      reply.header('etag', etagOf(version + policy_version));
      return { ...policy, stale_after_days, sign_in: signInPolicyOf(sign_in) };
    }),
});

/** Returns the request in the form that the sign-in policy checks. */
async function changerOf(tx: Db, actor: Actor): Promise<PolicyChanger> {
  const { kind, credentialId, address } = actor;
  const none = { method: null, secondFactor: false };
  return { address, facts: kind === 'session' ? ((await findSignIn(tx, credentialId)) ?? none) : null };
}

const putPolicy = defineRoute({
  method: 'PUT',
  path: '/organization/policy',
  operationId: 'replacePolicy',
  tag: 'Organization',
  summary: 'Replace the policy',
  description:
    'Sets the whole policy; without `sign_in`, `decisions`, `stale_after_days`, or the optional settings of `decisions`, these parts stay. The due dates of all findings are computed again in the background, which takes minutes for a million findings and changes neither their `updated_at` nor their version. The conditions for decisions apply to later ones. The sign-in policy holds for all requests, on every node, within a second: sessions that do not meet it are refused in this organization alone. One that would refuse the request itself, by its address or sign-in, is 409 without `lock_out`.',
  extension: true,
  permission: { role: 'admin', scope: 'organization:write' },
  body: PolicyReplacement,
  requestExample: example,
  responses: { 200: { schema: PolicyBody, description: 'The new policy.', example, headers: etag } },
  errors: ['precondition_failed', 'conflict'],
  handler: ({ actor, body, context, request, reply, transaction }) =>
    transaction(async (tx) => {
      const { sign_in, stale_after_days, lock_out: lockOut = false, ...policy } = body as PolicyInput;
      const hasSingleSignOn = context.identity.singleSignOn !== null;
      const wanted = sign_in && requireSignInPolicy(sign_in, { hasSingleSignOn });
      const changer = lockOut ? null : await changerOf(tx, actor);
      const stood = await lockOrganizationPolicy(tx, actor.orgId);
      const { before, row } = await replacePolicy(tx, actor.orgId, ({ version, policy: { decisions } }) => {
        requireMatch(request, version + stood.policy_version);
        return { ...policy, decisions: { ...decisions, ...policy.decisions } };
      });
      const signIn = await changeSignInPolicy(tx, actor.orgId, wanted, changer);
      const { name } = (await tx.query<OrganizationRow>(findOrganization(actor.orgId))).rows[0]!;
      const days = stale_after_days ?? stood.stale_after_days;
      const changes = days !== stood.stale_after_days;
      const version = changes ? await updateStaleAfterDays(tx, actor.orgId, days) : signIn.version;
      const after = { ...row.policy, stale_after_days: days, sign_in: signIn.after };
      await recordAudit(tx, actor.orgId, {
        actor: auditActor(actor),
        action: 'policy.updated',
        target: { id: actor.orgId, name },
        before: { ...before, stale_after_days: stood.stale_after_days, sign_in: signIn.before },
        after,
      });
      reply.header('etag', etagOf(row.version + version));
      return after;
    }),
});

const numberOf = (description: string) => Type.Integer({ minimum: 0, description });

const previewPolicy = defineRoute({
  method: 'POST',
  path: '/organization/policy/preview',
  operationId: 'previewPolicy',
  tag: 'Organization',
  summary: 'Preview other days to fix',
  description:
    'Counts the open findings whose due dates other days to fix would change, without changing anything. Reads all of them, which takes longer in a large organization.',
  extension: true,
  permission: { role: 'admin', scope: 'organization:write' },
  body: Type.Object(
    { days_to_fix: findingProperties.days_to_fix, test_grace_days: findingProperties.test_grace_days },
    { $id: 'PolicyPreviewRequest' },
  ),
  requestExample: { days_to_fix: defaultPolicy.days_to_fix, test_grace_days: 0 },
  responses: {
    200: {
      schema: Type.Object(
        {
          earlier: numberOf('Open findings that would be due earlier, or at all.'),
          later: numberOf('Open findings that would be due later, or not at all.'),
          overdue: numberOf('Open findings that would become overdue at once; `earlier` includes them.'),
          overdue_numbers: Type.Array(Type.String(), { description: 'The 100 most urgent of these.' }),
        },
        { $id: 'PolicyPreview' },
      ),
      description: 'The numbers of findings.',
      example: { earlier: 6, later: 0, overdue: 2, overdue_numbers: ['F-1042', 'F-7'] },
    },
  },
  errors: [],
  handler: async ({ actor: { orgId }, body, context: { database } }) => {
    const [effect] = await database.single<PolicyEffect>(orgId, comparePolicy(orgId, body as DueRules), [boundedCount]);
    return effect!;
  },
});

export const policyRoutes = [getPolicy, putPolicy, previewPolicy];
