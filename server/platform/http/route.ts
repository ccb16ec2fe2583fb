/**
 * Routes are data: a definition contains everything about its endpoint, and the server, the OpenAPI document and the
 * contract tests are derived from it. A slice's `routes.ts` looks like this:
 *
 * ```ts
 * import Type from 'typebox';
 * import { defineRoute } from '../context.ts';
 * import { pageOf } from '../platform/http/cursor.ts';
 * import { etagOf } from '../platform/http/etag.ts';
 * import { enumeration, listOf, nullable, page, pageParameters, time } from '../platform/http/schema.ts';
 *
 * const Book = Type.Object({ id: Type.String(), title: Type.String(), read_at: nullable(time()) }, { $id: 'Book' });
 * const bookExample = { id: 'book_1', title: 'Cryptonomicon', read_at: null };
 *
 * export const bookRoutes = [
 *   defineRoute({
 *     method: 'GET',
 *     path: '/books',                       // below /api/v1; parameters as in OpenAPI: '/books/{id}'
 *     operationId: 'listBooks',             // camelCase, unique; also the name in metrics
 *     tag: 'Books',
 *     summary: 'List books',
 *     description: 'Newest first.',
 *     extension: true,                      // the core of the API is fixed
 *     permission: { role: 'viewer', scope: 'findings:read' },      // or 'authenticated', 'session' or 'public'
 *     query: { ...pageParameters, genre: Type.Optional(listOf(enumeration(['novel', 'essay']))) },
 *     responses: { 200: { schema: page(Book, 'Book'), description: 'A page of books.', example: { data: [bookExample], next_cursor: null } } },
 *     errors: ['invalid_cursor'],           // besides those of every route of its kind
 *     handler: async ({ actor, query, context }) => {
 *       const binding = { operation: 'listBooks', orgId: actor.orgId, filters: { genre: query.genre } };
 *       const after = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor);
 *       const rows = await listBooks(context.database, actor.orgId, { ...query, after, limit: query.limit + 1 });
 *       const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [row.created_at, row.id]);
 *       return { data: data.map(bookView), next_cursor };
 *     },
 *   }),
 *   defineRoute({
 *     method: 'POST',
 *     path: '/books',
 *     operationId: 'createBook',
 *     tag: 'Books',
 *     summary: 'Add a book',
 *     description: '…',
 *     permission: { role: 'analyst', scope: 'findings:write' },
 *     body: Type.Object({ title: Type.String({ minLength: 1, maxLength: 200 }) }),
 *     requestExample: { title: 'Cryptonomicon' },
 *     responses: { 201: { schema: Book, description: 'The new book.', example: bookExample, headers: { Location: 'Its address.' } } },
 *     errors: ['already_exists'],
 *     // `transaction` is context.database.transaction(actor.orgId, …). Return its result: under an Idempotency-Key the response
 *     // is stored in the same commit, so that not even a crash makes a retry repeat the work. Set headers in it.
 *     handler: ({ actor, body, reply, transaction }) =>
 *       transaction(async (tx) => {
 *         const book = await insertBook(tx, actor.orgId, body);
 *         reply.header('location', `/api/v1/books/${book.id}`).header('etag', etagOf(book.version));
 *         return bookView(book);
 *       }),
 *   }),
 * ];
 * ```
 *
 * The platform handles the rest: authentication, limits, permission, unknown fields and
 * parameters (400), strict types, defaults of query parameters, Idempotency-Key on every POST, errors, 304, request
 * ids, metrics. Object schemas of requests are closed by default (`additionalProperties: false`). A path parameter that
 * does not match its schema is 404. A PATCH with an empty body is 400 when its schema says `minProperties: 1`. Schemas
 * with `$id` become named components of the OpenAPI document; the same `$id` must mean the same schema everywhere.
 */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { Database, Db } from '../postgres/database.ts';
import type { Actor } from './actor.ts';
import type { RawJson } from './raw-json.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The required permission: a role and a scope, any token or session (`authenticated`), a console session (`session`),
 * or none (`public`: the handler gets no actor).
 */
export type RolePermission = { role: string; scope: string };
export type Permission = RolePermission | 'authenticated' | 'session' | 'public';

/**
 * A success response. Without a `schema` it has no body (204), or with `content` a body that the handler writes
 * itself: it returns a stream, Buffer or string, and sets `content-type`. With both, the handler may return either.
 */
export type ResponseDefinition = {
  schema?: TSchema;
  /** The content types that the handler may set, with their schemas. */
  content?: Record<string, TSchema>;
  description: string;
  example?: unknown;
  /** Response headers besides those that every response has: name → description. */
  headers?: Record<string, string>;
};

export type Deprecation = {
  /** The day from which the operation is deprecated, and the earliest day on which it may be removed: `YYYY-MM-DD`. */
  since: string;
  sunset?: string;
  /** A page that names the replacement. */
  link?: string;
};

/**
 * Parameters as the handler gets them. Optional ones may be undefined; `limit` is always set, since it has a default.
 */
type Parameters<Properties extends TProperties> = Static<TObject<Properties>> &
  (Properties extends { limit: TSchema } ? { limit: number } : unknown);

type BodyOf<Body> = Body extends TSchema ? Static<Body> : undefined;
type File<Response> = Response extends { content: Record<string, TSchema> } ? Readable | Buffer | string : never;
type ApiResponse<Responses> =
  Responses extends Record<number, infer Response>
    ? Response extends { schema: infer Schema extends TSchema }
      ? Static<Schema> | RawJson | File<Response>
      : Response extends { content: Record<string, TSchema> }
        ? File<Response>
        : // biome-ignore lint/suspicious/noConfusingVoidType: an async handler without a return has this type
          void
    : never;

export type HandlerInput<Context, Actors, Params, Query, Body> = {
  actor: Actors;
  params: Params;
  query: Query;
  body: Body;
  /** The unread request body of a `rawBody` route. */
  upload: Readable;
  context: Context;
  /** The database for reading. With `readsReplica`, it may be a replica, if there are any. */
  reads: Database;
  request: FastifyRequest;
  reply: FastifyReply;
  /**
   * Runs a transaction of the actor's organization, or of none with `ofAccount`. The handler must return the result of `run`: it is stored for a
   * repeated Idempotency-Key.
   */
  transaction<T>(run: (tx: Db) => Promise<T>): Promise<T>;
};

type Shared<PermissionType> = {
  method: Method;
  path: string;
  operationId: string;
  /** Whether the path is outside the API prefix, at the root of the host. */
  root?: boolean;
  tag: string;
  summary: string;
  description: string;
  /** Whether the operation goes beyond the core of the API; marked as `x-extension` in the OpenAPI document. */
  extension?: boolean;
  permission: PermissionType | 'authenticated' | 'session' | 'public';
  /**
   * Whether a session that does not meet the organization's sign-in policy may call it, in order to meet the policy.
   */
  anySignIn?: boolean;
  errors: ErrorCode[];
  requestExample?: unknown;
  /** The status of the handler's response; by default the first in `responses`. */
  status?: number;
  deprecated?: Deprecation;
  /** Accepts a body of any content type and size, as the stream `upload`. Excludes a `body` schema. */
  rawBody?: { description: string; contentTypes: string[] };
  /**
   * Reads a lot and writes nothing: the handler reads from `reads`, never from the database of the context. For
   * callers that have just written or read something newer, `reads` is the primary.
   */
  readsReplica?: boolean;
  /** The maximum size of a JSON body, in bytes: whole KiB, 64 by default. */
  bodyLimit?: number;
  /** Honours an Idempotency-Key, as every POST does: the handler writes only through `transaction`. */
  takesKey?: boolean;
  /**
   * Works on the caller's account, which belongs to no organization: its transactions see no rows of organizations, and
   * its idempotency keys are stored with the person.
   */
  ofAccount?: boolean;
  /** Starts work that the caller may wait for: the handler honours `Prefer: wait` through `waitAsPreferred`. */
  waits?: boolean;
  /** Whether the response contains a secret. It is then never stored for a repeated Idempotency-Key. */
  sensitive?: boolean | ((context: never) => boolean);
};

/** A route without its types, as used by the server. Created only by `defineRoute`. */
export type RouteDefinition<Context> = Shared<RolePermission> & {
  params?: TProperties;
  query?: TProperties;
  body?: TSchema;
  responses: Record<number, ResponseDefinition>;
  handler: (input: HandlerInput<Context, Actor, never, never, never>) => Promise<unknown>;
};

/** Returns whether an `Idempotency-Key` is honoured. Keys belong to a caller, so public routes have none. */
export const takesIdempotencyKey = (route: RouteDefinition<never>): boolean =>
  route.permission !== 'public' && (route.method === 'POST' || route.takesKey === true);

type ActorOf<P> = P extends 'public' ? null : Actor;

/**
 * Creates the `defineRoute` of an application whose handlers get a `Context` and whose permissions are
 * `PermissionType`. It returns the route unchanged, and derives the handler's types from the schemas.
 */
export function routesOf<Context, PermissionType extends RolePermission = RolePermission>() {
  return function defineRoute<
    Responses extends Record<number, ResponseDefinition>,
    P extends PermissionType | 'authenticated' | 'session' | 'public',
    Params extends TProperties = Record<never, never>,
    Query extends TProperties = Record<never, never>,
    Body extends TSchema | undefined = undefined,
  >(
    route: Omit<Shared<PermissionType>, 'permission'> & {
      permission: P;
      params?: Params;
      query?: Query;
      body?: Body;
      responses: Responses;
      handler: (
        input: HandlerInput<Context, ActorOf<P>, Static<TObject<Params>>, Parameters<Query>, BodyOf<Body>>,
      ) => Promise<ApiResponse<Responses>>;
    },
  ): RouteDefinition<Context> {
    return route as unknown as RouteDefinition<Context>;
  };
}
