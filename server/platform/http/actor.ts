import type { ApiError } from '../errors.ts';

/**
 * The caller of a request, as an `authenticate` function returns it: an API token or a console session, of one user in
 * one organization. `scopes` null means everything that the role allows. `credentialId` identifies the token or
 * session. Rate limits and idempotency keys depend on it, so it must be unique across all organizations.
 */
export type Actor = {
  kind: 'token' | 'session';
  orgId: string;
  userId: string;
  role: string;
  scopes: string[] | null;
  credentialId: string;
  /** The client's IP address. */
  address: string;
  /** The reason why the organization accepts only `anySignIn` requests of the caller; null when it accepts all. */
  refusal?: ApiError | null;
  rateLimit: { requestsPerMinute: number; burstPerMinute: number };
};
