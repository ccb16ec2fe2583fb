import Type from 'typebox';
import { roleSchema } from '../../organization/schema.ts';
import { email, enumeration, idOf, nullable, time } from '../../platform/http/schema.ts';
import { nameSchema } from '../../platform/name.ts';

export const passwordInput = (description: string) => Type.String({ minLength: 1, maxLength: 1_000, description });
const code = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });
const linkToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The `token` of the link in the mail.',
});

const SignedInPerson = Type.Object({ id: idOf('usr'), name: Type.String(), email: email() }, { $id: 'SignedInPerson' });

export const personExample = { id: 'usr_01jd3q5r8wf0ht6vsx2p9k4m7n', name: 'Ada Lovelace', email: 'ada@example.com' };

const SingleSignOnOption = Type.Object(
  { name: Type.String({ description: 'Its name, for the button.' }) },
  { $id: 'SingleSignOnOption' },
);

export const SignInOptions = Type.Object(
  {
    password_reset: Type.Boolean({ description: 'Whether mails are sent, and with them links for a new password.' }),
    passkeys: Type.Boolean({
      description: 'Whether passkeys work at this address: browsers offer none for an IP address.',
    }),
    single_sign_on: nullable(SingleSignOnOption, { description: 'Null when it is not configured.' }),
  },
  { $id: 'SignInOptions' },
);

export const signInOptionsExample = {
  password_reset: true,
  passkeys: true,
  single_sign_on: { name: 'Example SSO' },
};

export const SignInRequest = Type.Object(
  {
    email: email(),
    password: passwordInput('The password.'),
    remember_me: Type.Optional(
      Type.Boolean({ description: 'False: the session ends with the browser, and after a day. By default true.' }),
    ),
    user_id: Type.Optional(idOf('usr', 'The account, where several of the address have this password.')),
  },
  { $id: 'SignInRequest' },
);

const AccountChoice = Type.Object(
  {
    id: idOf('usr'),
    organizations: Type.Array(Type.String(), { description: 'The names of the organizations that it belongs to.' }),
  },
  { $id: 'AccountChoice' },
);

export const SignInResult = Type.Object(
  {
    status: enumeration(['signed_in', 'code_required', 'account_required'], {
      $id: 'SignInStatus',
      description:
        '`code_required`: the password is right, and a code of the second factor is needed. `account_required`: it is that of several accounts, and one must be chosen.',
    }),
    user: nullable(SignedInPerson, { description: 'The person; null until they are signed in.' }),
    accounts: Type.Optional(
      Type.Array(AccountChoice, { description: 'The accounts to choose from, with `account_required` only.' }),
    ),
  },
  { $id: 'SignInResult' },
);

const trustDevice = Type.Optional(
  Type.Boolean({ description: 'True: this browser needs no code for 30 days. By default false.' }),
);

export const SignInCode = Type.Object(
  { code: code('The six digits of the authenticator.'), trust_device: trustDevice },
  { $id: 'SignInCode' },
);

export const SignInRecoveryCode = Type.Object(
  { code: code('One of the recovery codes. Each works once.'), trust_device: trustDevice },
  { $id: 'SignInRecoveryCode' },
);

export const SignInSession = Type.Object(
  {
    user: nullable(SignedInPerson, { description: 'The signed-in person; null without a session.' }),
    expires_at: nullable(time('When the session ends; null without one.')),
  },
  { $id: 'SignInSession' },
);

export const LinkRequest = Type.Object({ token: linkToken }, { $id: 'LinkRequest' });

export const EmailConfirmation = Type.Object(
  {
    token: linkToken,
    new_password: Type.Optional(
      passwordInput('Needed for an account whose address was never verified: 8 to 128 characters.'),
    ),
  },
  { $id: 'EmailConfirmation' },
);

export const PasswordResetRequest = Type.Object({ email: email() }, { $id: 'PasswordResetRequest' });

/** Optional fields of requests that change a credential: they also revoke tokens and remove passkeys. */
export const furtherAccess = {
  revoke_tokens: Type.Optional(
    Type.Boolean({
      description: 'Whether your API tokens of all organizations are revoked too; by default they stay.',
    }),
  ),
  remove_passkeys: Type.Optional(
    Type.Boolean({ description: 'Whether all your passkeys are removed too; by default they stay.' }),
  ),
};

export const PasswordReset = Type.Object(
  { token: linkToken, new_password: passwordInput('8 to 128 characters.'), ...furtherAccess },
  { $id: 'PasswordReset' },
);

export const ConfirmedEmail = Type.Object({ email: email('The new address.') }, { $id: 'ConfirmedEmail' });

export const InvitationPreview = Type.Object(
  {
    email: email('The address that was invited.'),
    organization: Type.String({ description: 'The name of the organization.' }),
    role: roleSchema,
    invited_by: nullable(Type.String(), { description: 'The name of the person who sent the invitation.' }),
    expires_at: time(),
    has_account: Type.Boolean({
      description:
        'Whether the person has an account with this address, to sign in to. Only a link that went by mail says so: false for all others.',
    }),
    can_accept: Type.Boolean({
      description: 'Whether the account that this browser is signed in to can accept, without a password.',
    }),
  },
  { $id: 'InvitationPreview' },
);

export const invitationPreviewExample = {
  email: 'grace@example.com',
  organization: 'Example Inc.',
  role: 'analyst',
  invited_by: 'Ada Lovelace',
  expires_at: '2026-02-07T09:30:00Z',
  has_account: false,
  can_accept: false,
};

export const InvitationAcceptance = Type.Object(
  {
    token: linkToken,
    name: Type.Optional(nameSchema('The name for the new account.')),
    password: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description:
          'The password for a new account. Without it, the account that the browser is signed in to accepts.',
      }),
    ),
  },
  { $id: 'InvitationAcceptance' },
);

export const AcceptedInvitation = Type.Object(
  { user: SignedInPerson, organization_id: idOf('org'), role: roleSchema },
  { $id: 'AcceptedInvitation' },
);

export const acceptedInvitationExample = {
  user: personExample,
  organization_id: 'org_01jd3q5r8wf0ht6vsx2p9k4m7n',
  role: 'analyst',
};

const OtherAccount = Type.Object(
  {
    id: idOf('usr'),
    name: Type.String(),
    organizations: Type.Array(Type.String(), { description: 'The names of the organizations that it belongs to.' }),
  },
  { $id: 'OtherAccount' },
);

export const OtherAccounts = Type.Object(
  {
    data: Type.Array(OtherAccount, {
      description: 'Accounts that organizations made for your address. Empty while your address is not verified.',
    }),
  },
  { $id: 'OtherAccounts' },
);

export const JoinCode = Type.Object(
  {
    code: Type.String({ description: 'To enter in a session of the other account. It works once.' }),
    expires_at: time(),
  },
  { $id: 'JoinCode' },
);

export const RecentPassword = Type.Object(
  { password: Type.Optional(passwordInput('Your password: needed when you signed in more than 15 minutes ago.')) },
  { $id: 'RecentPassword' },
);

export const AccountJoin = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 1_000, description: 'The code from a session of the other account.' }),
    password: Type.Optional(
      passwordInput('The password of this account: needed when you signed in more than 15 minutes ago.'),
    ),
  },
  { $id: 'AccountJoin' },
);
