import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint, getSessionFromCtx } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';

/**
 * Lets the sign-in library begin a session for a person whom we have identified: it does not know
 * several accounts of an email address. Only our own code reaches these endpoints: `mountSignIn` serves none of the
 * library's.
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
    /** After a password: the library's second factor asks for its code on this path, which no plugin of ours uses. */
    startPasswordSession: createAuthEndpoint('/sign-in/username', { method: 'POST' }, async (ctx) => {
      const { userId, rememberMe } = ctx.body as unknown as { userId: string; rememberMe: boolean };
      const { internalAdapter } = ctx.context;
      const user = await internalAdapter.findUserById(userId);
      if (!user) throw new Error(`There is no user ${userId}.`);
      const session = await internalAdapter.createSession(userId, !rememberMe);
      await setSessionCookie(ctx, { session, user }, !rememberMe);
      return ctx.json({ user });
    }),
    /** Puts a new session in the place of the one that the request has. */
    renewSession: createAuthEndpoint.serverOnly({ method: 'POST' }, async (ctx) => {
      const found = await getSessionFromCtx(ctx);
      if (!found) throw new APIError('UNAUTHORIZED');
      const { internalAdapter } = ctx.context;
      const session = await internalAdapter.createSession(found.user.id, false, found.session);
      await setSessionCookie(ctx, { session, user: found.user });
      await internalAdapter.deleteSession(found.session.token);
      return ctx.json({});
    }),
  },
} satisfies BetterAuthPlugin;
