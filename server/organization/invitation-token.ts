import { createHash, randomBytes } from 'node:crypto';

/** Generates the token of an invitation's link: 256 random bits. */
export const createInvitationToken = (): string => randomBytes(32).toString('base64url');

/** Returns the link with this token. */
export const invitationLink = (baseUrl: string, token: string): string =>
  `${new URL(baseUrl).origin}/accept-invitation?token=${token}`;

/** Returns the hash of a token; only hashes are stored. */
export const hashInvitationToken = (token: string): Buffer => createHash('sha256').update(token).digest();
