import Type from 'typebox';
import { allPermissions, permissionsOf, scopes } from '../../organization/roles.ts';
import { roleSchema } from '../../organization/schema.ts';
import type { ApiError } from '../../platform/errors.ts';
import { email, enumeration, idOf, nullable, page, time, timeInput } from '../../platform/http/schema.ts';
import { nameSchema } from '../../platform/name.ts';
import { formatTime, formatTimeOrNull } from '../../platform/times.ts';
import type { Membership, UserOfProfile } from '../queries.ts';
import type { SessionRow } from '../session-queries.ts';
import { furtherAccess, passwordInput } from '../sign-in/schema.ts';
import type { TokenRow } from '../token-queries.ts';

const MembershipReference = Type.Object(
  { id: idOf('org'), name: Type.String(), role: roleSchema },
  { $id: 'Membership' },
);

const SignInRefusal = Type.Object({ code: Type.String(), message: Type.String() }, { $id: 'SignInRefusal' });

export const Profile = Type.Object(
  {
    id: idOf('usr'),
    name: Type.String(),
    email: email(),
    email_verified: Type.Boolean({
      description:
        'Whether the person has shown, by a mailed link or single sign-on, that the address is theirs. Until then the account belongs to one organization only.',
    }),
    two_factor_enabled: Type.Boolean(),
    has_password: Type.Boolean({
      description: 'Whether the person can sign in with a password. People without one use single sign-on or passkeys.',
    }),
    organization: MembershipReference,
    organizations: Type.Array(MembershipReference, {
      description: 'All organizations that the person belongs to, in the order of joining.',
    }),
    sign_in_refusal: nullable(SignInRefusal, {
      description:
        'Why the organization refuses this session, which can still read and change its own profile; null when it does not.',
    }),
    permissions: Type.Array(enumeration(allPermissions, { $id: 'PermissionCode' }), {
      description:
        'The permissions of the caller in the current organization, by role and, for a token, scopes. `views:write` is for private views, `views:share` for shared ones, `views:manage` for those that others share, `owners:write` for making and removing owners, `installation:read` for checking the installation, in the organization that runs it.',
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
  email_verified: true,
  two_factor_enabled: false,
  has_password: true,
  organization: organizationExample,
  organizations: [organizationExample],
  sign_in_refusal: null,
  permissions: permissionsOf({ role: 'analyst', scopes: null }),
};

/** Returns the profile of a person whose current organization is `orgId`. */
export function profileView(
  user: UserOfProfile,
  memberships: Membership[],
  { orgId, scopes, refusal }: { orgId: string; scopes: string[] | null; refusal: ApiError | null },
) {
  const organizations = memberships.map(({ org_id, name, role }) => ({ id: org_id, name, role: role as 'viewer' }));
  const organization = organizations.find(({ id }) => id === orgId)!;
  const sign_in_refusal = refusal && { code: refusal.code, message: refusal.message };
  const permissions = permissionsOf({ role: organization.role, scopes });
  return { ...user, organization, organizations, sign_in_refusal, permissions };
}

const scopesSchema = nullable(
  Type.Array(enumeration(scopes, { $id: 'Scope' }), { minItems: 1, maxItems: scopes.length, uniqueItems: true }),
  {
    $id: 'TokenScopes',
    description: 'The scopes to which the token is limited; null for everything that its user may do.',
  },
);

const tokenProperties = {
  id: idOf('tok'),
  name: Type.String(),
  scopes: scopesSchema,
  created_at: time(),
  expires_at: nullable(time()),
  last_used_at: nullable(time('To the minute.')),
};

const ApiToken = Type.Object(tokenProperties, { $id: 'ApiToken' });
export const ApiTokenPage = page(ApiToken, 'ApiToken');

export const ApiTokenCreation = Type.Object(
  {
    name: nameSchema('The purpose of the token.'),
    scopes: Type.Optional(scopesSchema),
    expires_at: Type.Optional(
      nullable(timeInput('When the token expires, in the future; null for a token that does not expire.')),
    ),
    password: Type.Optional(passwordInput('Your password: needed when you signed in more than 15 minutes ago.')),
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

export const PasswordChange = Type.Object(
  {
    current_password: passwordInput('Your password until now.'),
    new_password: passwordInput('8 to 128 characters.'),
    ...furtherAccess,
  },
  { $id: 'PasswordChange' },
);

export const EmailChange = Type.Object(
  {
    email: email('Your new address.'),
    password: Type.Optional(passwordInput('Your password: needed when you signed in more than 15 minutes ago.')),
  },
  { $id: 'EmailChange' },
);

export const PasswordConfirmation = Type.Object(
  {
    password: passwordInput('Your password.'),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A code of your authenticator, or a recovery code: needed while a second factor is on.',
      }),
    ),
  },
  { $id: 'PasswordConfirmation' },
);

export const TwoFactorRemoval = Type.Object(
  { ...PasswordConfirmation.properties, ...furtherAccess },
  { $id: 'TwoFactorRemoval' },
);

const recoveryCodes = Type.Array(Type.String(), {
  description: 'Each code signs you in once without the authenticator. They are returned only this once.',
});

export const TwoFactorSetup = Type.Object(
  {
    secret: Type.String({ description: 'The secret in base32, to type into an authenticator.' }),
    uri: Type.String({ description: 'The secret as `otpauth://` URI, to show as a QR code.' }),
    recovery_codes: recoveryCodes,
  },
  { $id: 'TwoFactorSetup' },
);

export const twoFactorSetupExample = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Assay:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Assay&digits=6&period=30',
  recovery_codes: ['k3vwzm-8tqh2p-c5xnde-y7rgfa', 'b9jusm-4wkze6-xq2dht-pn8vcr'],
};

export const TwoFactorCode = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 100, description: 'The six digits that the authenticator shows.' }) },
  { $id: 'TwoFactorCode' },
);

export const RecoveryCodes = Type.Object({ recovery_codes: recoveryCodes }, { $id: 'RecoveryCodes' });

const Session = Type.Object(
  {
    id: idOf('ses'),
    is_current: Type.Boolean({ description: 'Whether this request uses this session.' }),
    ip_address: nullable(Type.String(), { description: 'The address from which the person signed in.' }),
    user_agent: nullable(Type.String(), { description: 'The browser, as it names itself.' }),
    created_at: time('When the person signed in.'),
    last_active_at: nullable(time('The time of the last request, to the minute; null before the first.')),
    expires_at: time(),
  },
  { $id: 'Session' },
);

export const SessionPage = page(Session, 'Session');

export const sessionExample = {
  id: 'ses_01jd3q5r8wf0ht6vsx2p9k4m7n',
  is_current: true,
  ip_address: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  created_at: '2026-01-31T09:30:00Z',
  last_active_at: '2026-01-31T10:12:00Z',
  expires_at: '2026-02-07T09:30:00Z',
};

export function sessionView(row: SessionRow, currentId: string) {
  return {
    id: row.id,
    is_current: row.id === currentId,
    ip_address: row.ip_address || null,
    user_agent: row.user_agent || null,
    created_at: formatTime(row.created_at),
    last_active_at: formatTimeOrNull(row.last_active_at),
    expires_at: formatTime(row.expires_at),
  };
}
