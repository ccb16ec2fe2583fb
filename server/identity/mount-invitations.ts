import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { ApiError } from '../platform/errors.ts';
import type { FailedAuthentications } from '../platform/http/failed-authentications.ts';
import { invalidFields } from '../platform/http/failure.ts';
import { parseJsonBody, readBody } from '../platform/http/json-body.ts';
import { compileShape } from '../platform/http/shape.ts';
import { nameSchema } from '../platform/name.ts';
import type { Database } from '../platform/postgres/database.ts';
import { acceptInvitation } from './accept-invitation.ts';

const bodyLimitBytes = 16_384;

const Acceptance = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 100 }),
  name: Type.Optional(nameSchema('The name of a person who has no account yet.')),
  password: Type.Optional(Type.String({ maxLength: 1_000 })),
});

const check = compileShape(Acceptance, 'body');

/**
 * Serves `POST /auth/accept-invitation` next to the sign-in, for the page that an invitation links to: with `token`,
 * and `name` and `password` of a person without an account. The token, which nobody can guess, is the only credential.
 * Wrong tokens count as failed authentications of the address.
 */
export async function mountInvitations(
  app: FastifyInstance,
  database: Database,
  failedAuthentications: FailedAuthentications,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', async (_request: FastifyRequest, payload: FastifyRequest['raw']) =>
      parseJsonBody(await readBody(payload, bodyLimitBytes)),
    );
    scope.post('/auth/accept-invitation', async (request, reply) => {
      const details = check(request.body ?? {});
      if (details.length > 0) throw invalidFields(details);
      const { token, name, password } = request.body as Static<typeof Acceptance>;
      const { user, organizationId, role } = await failedAuthentications
        .lookUp(request.ip, () => acceptInvitation(database, token, { name, password, address: request.ip }))
        .catch(async (error: unknown) => {
          const isWrongToken = error instanceof ApiError && error.code === 'not_found';
          throw isWrongToken ? await failedAuthentications.refuse(request.ip, error) : error;
        });
      reply.code(201).header('cache-control', 'no-store');
      return { user, organization_id: organizationId, role };
    });
  });
}
