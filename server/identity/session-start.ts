import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';

/**
 * Lets the sign-in library begin a session for a person whom we have identified in another way than by a password. It has
 * no path: it can be called only from our own code.
 */
export const sessionStart = {
  id: 'session-start',
  endpoints: {
    startSession: createAuthEndpoint.serverOnly({ method: 'POST' }, async (ctx) => {
      const { userId } = ctx.body as unknown as { userId: string };
      const { internalAdapter } = ctx.context;
      const user = await internalAdapter.findUserById(userId);
      if (!user) throw new Error(`There is no user ${userId}.`);
      const session = await internalAdapter.createSession(userId);
      await setSessionCookie(ctx, { session, user });
      return ctx.json({ user });
    }),
  },
} satisfies BetterAuthPlugin;
