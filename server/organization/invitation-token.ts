import { createHash, randomBytes } from 'node:crypto';

/** What makes an invitation's link: 256 random bits. */
export const createInvitationToken = (): string => randomBytes(32).toString('base64url');

/** What is kept of it. */
export const hashInvitationToken = (token: string): Buffer => createHash('sha256').update(token).digest();
