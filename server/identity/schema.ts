import Type from 'typebox';
import { scopes } from '../organization/roles.ts';
import { roleSchema } from '../organization/schema.ts';
import { email, enumeration, idOf, nullable, page, time, timeInput } from '../platform/http/schema.ts';
import { nameSchema } from '../platform/name.ts';
import { formatTime, formatTimeOrNull } from '../platform/times.ts';
import type { Membership, User } from './queries.ts';
import type { TokenRow } from './token-queries.ts';

const MembershipReference = Type.Object(
  { id: idOf('org'), name: Type.String(), role: roleSchema },
  { $id: 'Membership' },
);

export const Profile = Type.Object(
  {
    id: idOf('usr'),
    name: Type.String(),
    email: email(),
    two_factor_enabled: Type.Boolean(),
    organization: MembershipReference,
    organizations: Type.Array(MembershipReference, {
      description: 'All organizations that the person belongs to, in the order of joining.',
    }),
  },
  { $id: 'Profile' },
);

export const ProfileUpdate = Type.Object(
  {
    name: Type.Optional(nameSchema('The name that others see.')),
    organization_id: Type.Optional(idOf('org', 'The organization to work in.')),
  },
  { $id: 'ProfileUpdate', minProperties: 1 },
);

const organizationExample = { id: 'org_01jd3q5r8wf0ht6vsx2p9k4m7n', name: 'Example Inc.', role: 'analyst' };

export const profileExample = {
  id: 'usr_01jd3q5r8wf0ht6vsx2p9k4m7n',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  two_factor_enabled: false,
  organization: organizationExample,
  organizations: [organizationExample],
};

/** Returns the profile of a person whose current organization is `orgId`. */
export function profileView(user: User & { two_factor_enabled: boolean }, memberships: Membership[], orgId: string) {
  const organizations = memberships.map(({ org_id, name, role }) => ({ id: org_id, name, role: role as 'viewer' }));
  const organization = organizations.find(({ id }) => id === orgId)!;
  return { ...user, organization, organizations };
}

export const scopesSchema = nullable(
  Type.Array(enumeration(scopes, { $id: 'Scope' }), { minItems: 1, maxItems: scopes.length, uniqueItems: true }),
  { description: 'The scopes to which the token is limited; null for everything that its user may do.' },
);

const tokenProperties = {
  id: idOf('tok'),
  name: Type.String(),
  scopes: scopesSchema,
  created_at: time(),
  expires_at: nullable(time()),
  last_used_at: nullable(time('To the minute.')),
};

export const ApiToken = Type.Object(tokenProperties, { $id: 'ApiToken' });
export const ApiTokenPage = page(ApiToken, 'ApiToken');

export const ApiTokenCreation = Type.Object(
  {
    name: nameSchema('What the token is for.'),
    scopes: Type.Optional(scopesSchema),
    expires_at: Type.Optional(
      nullable(timeInput('When the token expires, in the future; null for a token that does not expire.')),
    ),
  },
  { $id: 'ApiTokenCreation' },
);

export const NewApiToken = Type.Object(
  { ...tokenProperties, token: Type.String({ description: 'The token itself. It is returned only this once.' }) },
  { $id: 'NewApiToken' },
);

export const tokenExample = {
  id: 'tok_01jd3q5r8wf0ht6vsx2p9k4m7n',
  name: 'Dashboard',
  scopes: ['findings:read'],
  created_at: '2026-01-31T09:30:00Z',
  expires_at: '2026-05-01T00:00:00Z',
  last_used_at: null,
};

export function tokenView(row: TokenRow) {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes as (typeof scopes)[number][] | null,
    created_at: formatTime(row.created_at),
    expires_at: formatTimeOrNull(row.expires_at),
    last_used_at: formatTimeOrNull(row.last_used_at),
  };
}
