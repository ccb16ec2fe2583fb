/**
 * Routes are data: everything that is true of an endpoint stands in its definition, and the server, the OpenAPI document and the
 * contract tests are made from it. A slice's `routes.ts` looks like this:
 *
 * ```ts
 * import Type from 'typebox';
 * import { defineRoute } from '../context.ts';
 * import { etagOf, requireMatch } from '../platform/http/etag.ts';
 * import { pageOf } from '../platform/http/cursor.ts';
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
 *     extension: true,                      // only for what platform-api.md does not have
 *     permission: { role: 'viewer', scope: 'findings:read' },      // or 'session' or 'public'
 *     query: { ...pageParameters, genre: Type.Optional(listOf(enumeration(['novel', 'essay']))) },
 *     responses: { 200: { schema: page(Book, 'Book'), description: 'A page of books.', example: { data: [bookExample], next_cursor: null } } },
 *     errors: ['invalid_cursor'],           // the ones beyond those that every route of its kind has
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
 *     // `transaction` is context.database.transaction(actor.orgId, …) whose result is the answer: under an Idempotency-Key the
 *     // answer is kept in the same commit, so that not even a crash makes a retry do the work twice. Set headers within it.
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
 * What the platform does, so that handlers do not: authentication, limits, permission, unknown fields and parameters (400), strict
 * types, defaults of query parameters, Idempotency-Key on every POST, errors, 304, request ids, metrics.
 * Object schemas of requests are closed without being told (`additionalProperties: false`). A path parameter that does not fit
 * its schema is 404. A PATCH whose body is empty is 400 when its schema says `minProperties: 1`.
 * Schemas with `$id` become named components of the OpenAPI document; the same `$id` must mean the same schema everywhere.
 */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { Db } from '../postgres/database.ts';
import type { Actor } from './actor.ts';
import type { RawJson } from './raw-json.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a caller needs: a role and a scope; `session` a console session; `public` nothing at all (the handler gets no actor). */
export type RolePermission = { role: string; scope: string };
export type Permission = RolePermission | 'session' | 'public';

/**
 * A success response. Without a `schema` it has no body (204) or, with `content`, one that the handler writes itself: it returns
 * a stream, Buffer or string and sets `content-type`.
 */
export type ResponseDefinition = {
  schema?: TSchema;
  /** The content types that the handler may set, with their schemas. */
  content?: Record<string, TSchema>;
  description: string;
  example?: unknown;
  /** Response headers beside those that every answer has: name → description. */
  headers?: Record<string, string>;
};

export type Deprecation = {
  /** Day from which it is deprecated, and the earliest day on which it may go: `YYYY-MM-DD`. */
  since: string;
  sunset?: string;
  /** A page that says what to use in its place. */
  link?: string;
};

/** Parameters as the handler sees them: optional ones may be undefined; `limit` is always there, as it has a default. */
type Parameters<Properties extends TProperties> = Static<TObject<Properties>> &
  (Properties extends { limit: TSchema } ? { limit: number } : unknown);

type BodyOf<Body> = Body extends TSchema ? Static<Body> : undefined;
type Answer<Responses> =
  Responses extends Record<number, infer Response>
    ? Response extends { schema: infer Schema extends TSchema }
      ? Static<Schema> | RawJson
      : Response extends { content: Record<string, TSchema> }
        ? Readable | Buffer | string
        : // biome-ignore lint/suspicious/noConfusingVoidType: an async handler without a return has this type
          void
    : never;

export type HandlerInput<Context, Actors, Params, Query, Body> = {
  actor: Actors;
  params: Params;
  query: Query;
  body: Body;
  /** The request body of a `rawBody` route: a stream that nothing has read yet. */
  upload: Readable;
  context: Context;
  request: FastifyRequest;
  reply: FastifyReply;
  /** A transaction of the actor's organization. What `run` returns must be what the handler answers: it is kept for a repeated Idempotency-Key. */
  transaction<T>(run: (tx: Db) => Promise<T>): Promise<T>;
};

type Shared<PermissionType> = {
  method: Method;
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  /** Not part of the API as first described: marked `x-extension` in the OpenAPI document. */
  extension?: boolean;
  permission: PermissionType | 'session' | 'public';
  errors: ErrorCode[];
  requestExample?: unknown;
  /** Status of what the handler returns, when `responses` names several; the first named otherwise. */
  status?: number;
  deprecated?: Deprecation;
  /** Takes the body as a stream, of any content type and size: `upload`. No `body` schema then. */
  rawBody?: { description: string; contentTypes: string[] };
  /** The largest JSON body, in bytes; 1 MiB otherwise. */
  bodyLimit?: number;
  /** Starts work that the caller may wait for: the handler honours `Prefer: wait` by `waitAsPreferred`. */
  waits?: boolean;
  /** The answer holds a secret: it is never kept for a repeated Idempotency-Key. */
  sensitive?: boolean;
};

/** A route as the server takes it, its types forgotten. Made by `defineRoute` only. */
export type RouteDefinition<Context> = Shared<RolePermission> & {
  params?: TProperties;
  query?: TProperties;
  body?: TSchema;
  responses: Record<number, ResponseDefinition>;
  handler: (input: HandlerInput<Context, Actor, never, never, never>) => Promise<unknown>;
};

type ActorOf<P> = P extends 'public' ? null : Actor;

/**
 * The `defineRoute` of an application whose handlers get a `Context` and whose permissions are `PermissionType`.
 * It returns the route as it is: its work is to tie the handler's types to the schemas.
 */
export function routesOf<Context, PermissionType extends RolePermission = RolePermission>() {
  return function defineRoute<
    Responses extends Record<number, ResponseDefinition>,
    P extends PermissionType | 'session' | 'public',
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
      ) => Promise<Answer<Responses>>;
    },
  ): RouteDefinition<Context> {
    return route as unknown as RouteDefinition<Context>;
  };
}
