import Type, { type TObject } from 'typebox';
import { nameSchema } from '../platform/name.ts';

/** An enabled endpoint of the sign-in library. All others are off. */
export type SignInRoute = {
  method: 'GET' | 'POST';
  path: string;
  /** Whether the endpoint needs a session. The others name the person in the request. */
  session: boolean;
  body: TObject;
  /** The field with a person's password or code: a wrong one counts as a guess. */
  guess?: 'password' | 'currentPassword' | 'code';
  /** The field with a new password. */
  newPassword?: 'newPassword';
  /** Removes the session of the request. */
  endsSession?: true;
  /** What the library gets besides the body. */
  always?: Record<string, unknown>;
  summary: string;
  description: string;
};

const password = Type.String({ minLength: 1, maxLength: 1_000 });
const code = Type.String({ minLength: 1, maxLength: 100 });
const trustDevice = Type.Optional(Type.Boolean({ description: 'Asks for no code on this device for 30 days.' }));
const nothing = Type.Object({});
const withPassword = Type.Object({ password });

export const signInRoutes: readonly SignInRoute[] = [
  {
    ...{ method: 'POST', path: '/auth/sign-in/email', session: false, guess: 'password' },
    body: Type.Object({
      email: Type.String({ minLength: 3, maxLength: 320 }),
      password,
      rememberMe: Type.Optional(Type.Boolean({ description: 'False: the session ends with the browser.' })),
    }),
    summary: 'Sign in',
    description: 'Sets the session cookie, or returns `twoFactorRedirect: true` when a code is needed first.',
  },
  {
    ...{ method: 'POST', path: '/auth/sign-out', session: false, body: nothing, endsSession: true },
    summary: 'Sign out',
    description: 'Ends the session and removes its cookie.',
  },
  {
    ...{ method: 'GET', path: '/auth/get-session', session: false, body: nothing },
    summary: 'Get the session',
    description: 'Returns the session and its person; null without a session.',
  },
  {
    ...{ method: 'POST', path: '/auth/update-user', session: true },
    body: Type.Object({ name: nameSchema('How others see you.') }),
    summary: 'Change your name',
    description: 'As `PATCH /api/v1/profile` does.',
  },
  {
    ...{ method: 'POST', path: '/auth/change-password', session: true, guess: 'currentPassword' },
    body: Type.Object({
      currentPassword: password,
      newPassword: password,
      revokeOtherSessions: Type.Optional(Type.Boolean({ description: 'Ignored: they always end.' })),
    }),
    newPassword: 'newPassword',
    always: { revokeOtherSessions: true },
    summary: 'Change your password',
    description: 'Ends all your other sessions.',
  },
  {
    ...{ method: 'POST', path: '/auth/verify-password', session: true, guess: 'password', body: withPassword },
    summary: 'Confirm your password',
    description: 'For actions that ask for the password again.',
  },
  {
    ...{ method: 'POST', path: '/auth/two-factor/enable', session: true, guess: 'password', body: withPassword },
    summary: 'Set up a second factor',
    description: 'Returns the secret for an authenticator, and recovery codes. A first code turns it on.',
  },
  {
    ...{ method: 'POST', path: '/auth/two-factor/disable', session: true, guess: 'password', body: withPassword },
    summary: 'Remove the second factor',
    description: 'Deletes its secret and recovery codes.',
  },
  {
    ...{ method: 'POST', path: '/auth/two-factor/get-totp-uri', session: true, guess: 'password', body: withPassword },
    summary: 'Get the secret of the second factor',
    description: 'Returns the secret as a URI for an authenticator.',
  },
  {
    ...{ method: 'POST', path: '/auth/two-factor/generate-backup-codes', session: true, guess: 'password' },
    body: withPassword,
    summary: 'Create new recovery codes',
    description: 'The previous codes stop working.',
  },
  {
    ...{ method: 'POST', path: '/auth/two-factor/verify-totp', session: false, guess: 'code' },
    body: Type.Object({ code, trustDevice }),
    summary: 'Sign in with a code',
    description: 'The second step of a sign-in, and the first code of a new second factor.',
  },
  {
    ...{ method: 'POST', path: '/auth/two-factor/verify-backup-code', session: false, guess: 'code' },
    body: Type.Object({ code, trustDevice }),
    summary: 'Sign in with a recovery code',
    description: 'The second step of a sign-in without the authenticator. Each code works once.',
  },
];
