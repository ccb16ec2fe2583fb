import Type from 'typebox';
import { email, enumeration, idOf, nullable, page, time } from '../platform/http/schema.ts';
import { nameSchema } from '../platform/name.ts';
import type { Rate } from '../platform/rate-limit/rate-limit.ts';
import { formatTime, formatTimeOrNull } from '../platform/times.ts';
import type { InvitationRow } from './invitation-queries.ts';
import type { MemberRow, OrganizationRow } from './queries.ts';
import { organizationRate } from './rate-limits.ts';
import { roles } from './roles.ts';

export const roleSchema = enumeration(roles, {
  $id: 'Role',
  description: 'From the lowest to the highest: each role includes the permissions of the roles before it.',
});

/** A person, where only the name is needed. */
export const UserReference = Type.Object({ id: idOf('usr'), name: Type.String() }, { $id: 'UserReference' });

const TokenRateLimit = Type.Object(
  { requests_per_minute: Type.Integer(), burst_per_minute: Type.Integer() },
  { $id: 'TokenRateLimit', description: 'The number of requests that each API token of the organization may make.' },
);

export const Organization = Type.Object(
  {
    id: idOf('org'),
    name: Type.String(),
    plan: enumeration(['default', 'enterprise'], { $id: 'OrganizationPlan' }),
    rate_limit: TokenRateLimit,
    member_count: Type.Integer(),
    created_at: time(),
    runs_installation: Type.Boolean({
      description: 'Whether it is the organization that was created first, whose owners may check the installation.',
    }),
  },
  { $id: 'Organization' },
);

export const organizationExample = {
  id: 'org_01jd3q5r8wf0ht6vsx2p9k4m7n',
  name: 'Example Inc.',
  plan: 'default',
  rate_limit: { requests_per_minute: 100, burst_per_minute: 200 },
  member_count: 3,
  created_at: '2026-01-31T09:30:00Z',
  runs_installation: false,
};

/** Returns the organization as the API presents it. `installation` is the rate of organizations without their own. */
export function organizationView(row: OrganizationRow, installation: Rate) {
  const rate = organizationRate(row, installation);
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    rate_limit: { requests_per_minute: rate.requestsPerMinute, burst_per_minute: rate.burstPerMinute },
    member_count: row.member_count,
    created_at: formatTime(row.created_at),
    runs_installation: row.runs_installation,
  };
}

export const OrganizationUpdate = Type.Object(
  { name: Type.Optional(nameSchema('The name of the organization.')) },
  { $id: 'OrganizationUpdate', minProperties: 1 },
);

export const Member = Type.Object(
  {
    id: idOf('usr'),
    name: Type.String(),
    email: email(),
    role: roleSchema,
    joined_at: time(),
    last_active_at: nullable(time('The time of the last request, to the minute; null before the first.')),
  },
  { $id: 'Member' },
);

export const MemberPage = page(Member, 'Member');

export const memberExample = {
  id: 'usr_01jd3q5r8wf0ht6vsx2p9k4m7n',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  role: 'analyst',
  joined_at: '2026-01-31T09:30:00Z',
  last_active_at: '2026-02-03T14:07:00Z',
};

export function memberView(row: MemberRow) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    joined_at: formatTime(row.joined_at),
    last_active_at: formatTimeOrNull(row.last_active_at),
  };
}

const Invitation = Type.Object(
  {
    id: idOf('inv'),
    email: email(),
    role: roleSchema,
    status: enumeration(['pending', 'accepted', 'expired', 'revoked'], { $id: 'InvitationStatus' }),
    invited_by: nullable(UserReference),
    created_at: time(),
    expires_at: time(),
  },
  { $id: 'Invitation' },
);

export const NewInvitation = Type.Object(
  {
    ...Invitation.properties,
    url: nullable(Type.String(), {
      description:
        'The link for the person, which is returned only here; null where the platform mails it. It works once.',
    }),
  },
  { $id: 'NewInvitation' },
);

export const InvitationPage = page(Invitation, 'Invitation');
export const invitationExample = {
  id: 'inv_01jd3q5r8wf0ht6vsx2p9k4m7n',
  email: 'grace@example.com',
  role: 'analyst',
  status: 'pending',
  invited_by: { id: memberExample.id, name: memberExample.name },
  created_at: '2026-01-31T09:30:00Z',
  expires_at: '2026-02-07T09:30:00Z',
};

export function invitationView(row: InvitationRow) {
  return { ...row, created_at: formatTime(row.created_at), expires_at: formatTime(row.expires_at) };
}
