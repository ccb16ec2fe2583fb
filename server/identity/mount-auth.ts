import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readBody } from '../platform/http/json-body.ts';
import { translateDatabaseError } from '../platform/postgres/database.ts';
import { type Auth, clientAddressHeader } from './auth.ts';

const bodyLimitBytes = 64 * 1024;

function toWebRequest(request: FastifyRequest, origin: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  }
  headers.set(clientAddressHeader, request.ip);
  headers.delete('content-length');
  const hasBody = request.method !== 'GET' && request.body instanceof Buffer && request.body.length > 0;
  return new Request(new URL(request.raw.url ?? '/', origin), {
    method: request.method,
    headers,
    body: hasBody ? new Uint8Array(request.body as Buffer) : null,
  });
}

async function sendWebResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.status(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
  const retryAfter = response.headers.get('x-retry-after');
  if (retryAfter !== null) reply.header('retry-after', retryAfter);
  reply.header('cache-control', 'no-store');
  return reply.send(Buffer.from(await response.arrayBuffer()));
}

/** The library does not tell why it failed: this throws `unavailable` (503) where the database is away. */
async function requireDatabase(auth: Auth): Promise<void> {
  await auth.options.database.query('SELECT 1').catch((error: unknown) => {
    throw translateDatabaseError(error);
  });
}

/**
 * Serves the sign-in (`POST /auth/sign-in/email`, `/auth/sign-out`, `/auth/get-session`, …) as better-auth answers it.
 * The paths lie beside the API, not under its prefix. The address of the client is Fastify's `request.ip`.
 */
export async function mountAuth(app: FastifyInstance, auth: Auth): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request: FastifyRequest, payload: FastifyRequest['raw']) =>
      readBody(payload, bodyLimitBytes),
    );
    scope.route({
      method: ['GET', 'POST'],
      url: '/auth/*',
      schema: { hide: true } as object,
      handler: async (request, reply) => {
        const response = await auth.handler(toWebRequest(request, auth.options.baseURL));
        if (response.status >= 500) await requireDatabase(auth);
        return sendWebResponse(reply, response);
      },
    });
  });
}
