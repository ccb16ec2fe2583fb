import Type from 'typebox';
import { nullable } from '../platform/http/schema.ts';

/** Request schemas are closed and need names that differ from those of responses: `end` is appended to the name. */
export const signInPolicySchema = (end: string) =>
  Type.Object(
    {
      second_factor: Type.Boolean({
        description:
          'Whether sessions need a second factor: a code of an authenticator, a recovery code, a passkey, or single sign-on, whose provider is responsible for it.',
      }),
      single_sign_on: Type.Boolean({ description: 'Whether only sessions by single sign-on are accepted.' }),
      password: Type.Boolean({
        description: 'Whether sessions that started with a password, with or without a code, are accepted.',
      }),
      token_longest_days: nullable(Type.Integer({ minimum: 1, maximum: 3650 }), {
        description:
          'The maximum life of API tokens, in days from their creation; null for no limit. Existing tokens that would live longer end then.',
      }),
      allowed_addresses: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 200,
        description:
          'The addresses and networks (`192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`) from which tokens and sessions are accepted; empty for all.',
      }),
    },
    {
      $id: `SignInPolicy${end}`,
      description: 'The conditions under which members and their tokens reach the organization.',
    },
  );
