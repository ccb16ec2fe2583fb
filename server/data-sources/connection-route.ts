import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { enumeration } from '../platform/http/schema.ts';
import { connectionCodes } from './connections.ts';
import { DataSourceCreation } from './data-source-schema.ts';

const ConnectionTest = Type.Object(
  {
    reachable: Type.Boolean({ description: 'Whether a scan could reach the data source now.' }),
    code: enumeration(connectionCodes, {
      $id: 'ConnectionCode',
      description:
        '`ok`, or the reason: `refused` by the network policy, at the address or after a redirect; `host_not_found`, `unreachable`, `timeout`; `untrusted`: the certificate is not trusted; `authentication_failed` or `invalid_credential`; `not_found`, `branch_not_found` or `empty`, for repositories; `unavailable`: the api has no git; `failed`: anything else.',
    }),
    message: Type.String({ description: 'The result as a sentence for people.' }),
  },
  { $id: 'ConnectionTest' },
);

export const connectionRoute = defineRoute({
  method: 'POST',
  path: '/data-sources/test',
  operationId: 'testDataSource',
  tag: 'Data sources',
  summary: 'Test a data source',
  description:
    'Tests a configuration without saving it, under the same network policy as scans: it looks up the branch of a git repository with the given credential, requests the page of a website, contacts the registry of a container image, or resolves the address of a host. Takes up to 30 seconds. An organization can test ten configurations at once, and one more every six seconds.',
  extension: true,
  permission: { role: 'admin', scope: 'sources:write' },
  body: DataSourceCreation,
  requestExample: {
    kind: 'git_repository',
    config: { url: 'https://github.com/example/payments-api.git', credential: { token: 'the access token' } },
  },
  responses: {
    200: {
      schema: ConnectionTest,
      description: 'The result of the test, whether it succeeded or failed.',
      example: {
        reachable: false,
        code: 'authentication_failed',
        message:
          'The host did not accept the credential: check that it is right, not expired, and may read this repository.',
      },
    },
  },
  errors: [],
  handler: ({ actor: { orgId }, body, context }) => context.dataSources.connections.test(orgId, body),
});
