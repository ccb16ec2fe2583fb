/**
 * Who makes a request: what an `authenticate` function answers. An API token or a console session, of one user in one organization.
 * `scopes` null means everything that the role allows. `credentialId` names the token or session: limits and
 * idempotency keys are counted by it, so it must be unique over all organizations.
 */
export type Actor = {
  kind: 'token' | 'session';
  orgId: string;
  userId: string;
  role: string;
  scopes: string[] | null;
  credentialId: string;
  rateLimit: { requestsPerMinute: number; burstPerMinute: number };
};
