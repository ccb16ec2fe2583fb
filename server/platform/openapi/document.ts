import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import type { RouteDefinition } from '../http/route.ts';
import { compileShape } from '../http/shape.ts';
import { commonHeaders, errorComponents, errorSchemas } from './error-catalog.ts';
import { operationOf } from './operation.ts';
import { SchemaRegistry } from './schemas.ts';

/** Returns the errors in the examples of a route: each body needs one, and each must match its schema. For tests. */
export function checkExamples<Context>(route: RouteDefinition<Context>): string[] {
  const check = (what: string, schema: TSchema | undefined, example: unknown): string[] => {
    if (!schema) return [];
    if (example === undefined) return [`${route.operationId}: ${what} has no example.`];
    const wrong = compileShape(schema, undefined)(example);
    return wrong.map((detail) => `${route.operationId}: ${what}: ${detail.field} ${detail.message}`);
  };
  const responses = Object.entries(route.responses).flatMap(([status, response]) =>
    check(`the response ${status}`, response.schema, response.example),
  );
  return [...check('the request', route.body, route.requestExample), ...responses];
}

type Body = { schema: { $ref?: string }; example?: unknown };
type Message = { content?: Record<string, Body> };
type Operation = { requestBody?: Message; responses: Record<string, Message> };
type Schema = { properties?: Record<string, { items?: { $ref?: string } }>; examples?: unknown[] };

const nameOf = ({ $ref }: { $ref?: string }): string => $ref?.split('/').at(-1) ?? '';

/** Sets the example of a named schema that has none. Returns whether the schema's example now equals this one. */
function share(schema: Schema | undefined, example: unknown): boolean {
  if (schema && schema.examples === undefined) schema.examples = [example];
  return isDeepStrictEqual(schema?.examples, [example]);
}

/**
 * Moves the examples of bodies to their schemas. The example of a page is dropped when it consists of the example of
 * its item, since tools generate it from that; an example that differs stays with its body.
 */
function shareExamples(operations: Operation[], schemas: Record<string, Schema>): void {
  const messages = operations.flatMap(({ requestBody = {}, responses }) => [requestBody, ...Object.values(responses)]);
  const bodies = messages
    .flatMap(({ content = {} }) => Object.values(content))
    .filter((body) => body.example !== undefined && body.schema.$ref !== undefined);
  const itemOf = (body: Body): Schema | undefined =>
    schemas[nameOf(schemas[nameOf(body.schema)]?.properties?.data?.items ?? {})];
  for (const body of bodies.filter((one) => !itemOf(one))) {
    if (share(schemas[nameOf(body.schema)], body.example)) delete body.example;
  }
  for (const body of bodies.filter(itemOf)) {
    const { data, next_cursor } = body.example as { data: unknown[]; next_cursor: string | null };
    if (data.length === 1 && next_cursor === null && share(itemOf(body), data[0])) delete body.example;
  }
}

type Json = Record<string, unknown>;

export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string; contact: ApiInfo['contact'] } & Json;
  paths: Record<string, Json>;
  components: Record<string, Json>;
} & Json;

export type ApiInfo = {
  title: string;
  version: string;
  summary: string;
  /** The introduction in Markdown: what readers need before their first call. */
  description: string;
  /** The contact for technical questions. */
  contact: { name: string; email?: string };
  /** The groups of operations, in the order of the document. */
  tags: { name: string; description: string }[];
};

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

const headers = {
  'X-Request-Id': text(
    'Identifies this request in the log of the server. It is your own id if you sent one of 1-64 plain characters.',
    'req_0AbCdEfGhIjKlMnO',
  ),
  'RateLimit-Policy': text(
    'The maximum number of requests in any 60 seconds (draft-ietf-httpapi-ratelimit-headers).',
    '"default";q=200;w=60',
  ),
  RateLimit: text(
    'The requests that you can send now (`r`), and the seconds until the limit is fully available again (`t`).',
    '"default";r=87;t=8',
  ),
  'Retry-After': {
    description: 'Seconds to wait before you repeat the request.',
    schema: { type: 'integer', minimum: 1 },
    example: 3,
  },
  'WWW-Authenticate': text('Authentication.', 'Bearer'),
  Allow: text('The methods that the path has.', 'GET, HEAD, POST'),
  ETag: text(
    'The version. Send it as `If-Match` to change the resource only if it has not changed meanwhile, where the operation accepts that, or as `If-None-Match` to get the resource again only if it has changed.',
    '"17"',
  ),
  'Idempotency-Replayed': text(
    '`true` when this is the response of an earlier request with the same `Idempotency-Key`.',
    'true',
  ),
  'Preference-Applied': text('`wait` when the response waited for the work.', 'wait'),
  Deprecation: text('The date since which the operation is deprecated (RFC 9745).', '@1767225600'),
  Sunset: text('The earliest date on which the operation may be removed (RFC 8594).', 'Fri, 01 Jan 2027 00:00:00 GMT'),
};

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Any unique text (1-255 visible ASCII characters). Repeating the request with the same key within 24 hours has no further effect: it returns the response of the first request.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    example: '5f0c2c1e-6f6c-4f7e-9d35-1f3b7a0c9a11',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`wait=SECONDS`, 60 at most (RFC 7240): the response comes when the work is done or the time is up.',
    schema: { type: 'string' },
    example: 'wait=30',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'An `ETag`: the change is made only if the resource has not changed since.',
    schema: { type: 'string' },
    example: '"17"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of your copy: returns 304 without a body if the resource has not changed since.',
    schema: { type: 'string' },
    example: '"17"',
  },
};

const notModified = {
  description: 'The resource has not changed.',
  headers: { ...commonHeaders, ETag: { $ref: '#/components/headers/ETag' } },
};

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'asy_…',
    description: 'An API token. Create one in the console, in your user profile, section API tokens.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'assay.session_token',
    description:
      'The session cookie of the console, on its own origin. `POST /auth/sign-in/email` sets it. Over https its name begins with `__Host-`.',
  },
};

/** The server for paths outside the prefix. */
const rootServers = [{ url: '/', description: 'This server, outside the prefix' }];

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function pathsOf(routes: readonly RouteDefinition<never>[], schemas: SchemaRegistry): Record<string, Json> {
  const paths: Record<string, Json> = {};
  const seen = new Set<string>();
  const operations: Json[] = [];
  const ordered = [...routes].sort((a, b) => methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method));
  for (const route of routes) paths[route.path] = route.root ? { servers: rootServers } : {};
  for (const route of ordered) {
    if (seen.has(route.operationId)) throw new Error(`Two routes are called ${route.operationId}.`);
    seen.add(route.operationId);
    const operation = operationOf(route, schemas);
    paths[route.path]![route.method.toLowerCase()] = operation;
    operations.push(operation);
  }
  shareExamples(
    operations as Parameters<typeof shareExamples>[0],
    schemas.components as Parameters<typeof shareExamples>[1],
  );
  return paths;
}

/** Returns the components that are referenced. */
function usedOnly(components: Record<string, Json>, rest: unknown): Record<string, Json> {
  const kept: Record<string, Json> = {};
  let text = JSON.stringify(rest);
  for (let before = -1; before !== text.length; ) {
    before = text.length;
    // Searching the text for each component takes a tenth of a second of every start.
    const named = new Set(text.match(/"#\/components\/[^"]+"/g));
    for (const [kind, members] of Object.entries(components)) {
      const used = Object.entries(members).filter(([name]) => named.has(`"#/components/${kind}/${name}"`));
      kept[kind] = Object.fromEntries(used);
    }
    text = JSON.stringify([rest, kept]);
  }
  return kept;
}

const sorted = (json: Json) => Object.fromEntries(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Creates the OpenAPI 3.1 document of a route table. It needs neither a server nor a database. */
export function createOpenApiDocument<Context>(
  routes: readonly RouteDefinition<Context>[],
  info: ApiInfo,
): OpenApiDocument {
  const schemas = new SchemaRegistry();
  const paths = pathsOf(routes as readonly RouteDefinition<never>[], schemas);
  const components = {
    schemas: sorted({ ...schemas.components, ...errorSchemas }),
    responses: { NotModified: notModified, ...errorComponents() },
    parameters: { ...parameters, ...sorted(schemas.parameters) },
    headers,
  };
  const used = new Set(routes.map((route) => route.tag));
  const { tags, ...head } = info;
  const unknown = [...used].filter((tag) => !tags.some(({ name }) => name === tag));
  if (unknown.length > 0) throw new Error(`These tags are not described: ${unknown.join(', ')}.`);
  return {
    openapi: '3.1.0',
    info: { ...head, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/api/v1', description: 'This server' }],
    security: [{ bearer: [] }],
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    components: { ...usedOnly(components, paths), securitySchemes },
  };
}
