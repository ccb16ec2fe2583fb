import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import Type from 'typebox';
import { ApiError, notFound } from '../errors.ts';
import { type ApiInfo, createOpenApiDocument } from '../openapi/document.ts';
import type { Database } from '../postgres/database.ts';
import { createMemoryRateLimiter } from '../rate-limit/rate-limit.ts';
import type { Actor } from './actor.ts';
import { type CursorCodec, createCursorCodec, pageOf } from './cursor.ts';
import { etagOf, requireMatch } from './etag.ts';
import { routesOf } from './route.ts';
import { enumeration, listOf, nullable, page, pageParameters, time, timeInput } from './schema.ts';
import { createHttpServer, type HttpServerOptions } from './server.ts';

/** A small application on the HTTP platform, for tests to call. */
export type LibraryContext = { books: Map<string, BookRow>; cursors: CursorCodec; calls: { created: number } };
type BookRow = { id: string; title: string; genre: string; version: number; read_at: string | null };

export const defineRoute = routesOf<LibraryContext>();

const genres = ['novel', 'essay'] as const;
const Book = Type.Object(
  { id: Type.String(), title: Type.String(), genre: enumeration(genres), read_at: nullable(time()) },
  { $id: 'Book', description: 'A book.' },
);
const bookExample = { id: 'book_1', title: 'Cryptonomicon', genre: 'novel' as const, read_at: null };
const view = ({ version: _, ...book }: BookRow) => book as typeof bookExample;

const BookInput = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 40 }),
  genre: enumeration(genres),
  pages: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999 })),
  contact: Type.Optional(nullable(Type.String({ format: 'email' }))),
  places: Type.Optional(Type.Array(Type.Object({ shelf: Type.String() }), { maxItems: 3 })),
});

const read = { role: 'viewer', scope: 'books:read' };
const write = { role: 'analyst', scope: 'books:write' };

export const libraryRoutes = [
  defineRoute({
    method: 'GET',
    path: '/books',
    operationId: 'listBooks',
    tag: 'Books',
    summary: 'List books',
    description: 'By id.',
    permission: read,
    query: {
      ...pageParameters,
      genre: Type.Optional(listOf(enumeration(genres))),
      from: Type.Optional(timeInput('From when.')),
      available: Type.Optional(Type.Boolean()),
      q: Type.Optional(Type.String({ minLength: 1 })),
    },
    responses: {
      200: { schema: page(Book, 'Book'), description: 'Books.', example: { data: [bookExample], next_cursor: null } },
    },
    errors: ['invalid_cursor'],
    handler: async ({ actor, query, context }) => {
      const binding = { operation: 'listBooks', orgId: actor.orgId, filters: { genre: query.genre } };
      const after = query.next_cursor === undefined ? '' : context.cursors.decode(binding, query.next_cursor)[0]!;
      const rows = [...context.books.values()]
        .filter((book) => book.id > after && (query.genre?.includes(book.genre as 'novel') ?? true))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, query.limit + 1);
      const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (book) => [book.id]);
      return { data: data.map(view), next_cursor };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/books',
    operationId: 'createBook',
    tag: 'Books',
    summary: 'Add a book',
    description: 'Adds it.',
    permission: write,
    body: BookInput,
    requestExample: { title: 'Cryptonomicon', genre: 'novel' },
    responses: {
      201: { schema: Book, description: 'The book.', example: bookExample, headers: { Location: 'Its address.' } },
    },
    errors: ['already_exists'],
    handler: async ({ body, context, reply }) => {
      context.calls.created += 1;
      reply.header('etag', etagOf(1));
      if (body.title === 'Burnt') throw new ApiError('already_exists', 'title: there is one already.');
      if (body.title === 'Broken') throw new Error('secret detail of the inside');
      if (body.title === 'Slow') throw Object.assign(new Error('canceling statement'), { code: '57014' });
      if (body.title === 'Away') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      const id = `book_${context.books.size + 1}`;
      context.books.set(id, { id, title: body.title, genre: body.genre, version: 1, read_at: null });
      reply.header('location', `/api/v1/books/${id}`);
      return view(context.books.get(id)!);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/books/{id}',
    operationId: 'findBook',
    tag: 'Books',
    summary: 'One book',
    description: 'One.',
    permission: read,
    params: { id: Type.String() },
    responses: { 200: { schema: Book, description: 'The book.', example: bookExample } },
    errors: ['not_found'],
    handler: async ({ params, context, reply }) => {
      const book = context.books.get(params.id);
      if (!book) throw notFound('Book');
      reply.header('etag', etagOf(book.version));
      return view(book);
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/books/{id}',
    operationId: 'updateBook',
    tag: 'Books',
    summary: 'Change a book',
    description: 'Changes it.',
    permission: write,
    params: { id: Type.String() },
    body: Type.Object({ title: Type.Optional(Type.String()) }, { minProperties: 1 }),
    requestExample: { title: 'Snow Crash' },
    responses: { 200: { schema: Book, description: 'The book.', example: bookExample } },
    errors: ['not_found', 'precondition_failed'],
    handler: async ({ params, body, context, request }) => {
      const book = context.books.get(params.id);
      if (!book) throw notFound('Book');
      requireMatch(request, book.version);
      Object.assign(book, body, { version: book.version + 1 });
      return view(book);
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/books/{id}/lend',
    operationId: 'lendBook',
    tag: 'Books',
    summary: 'Lend a book',
    description: 'Lends it.',
    extension: true,
    deprecated: { since: '2026-01-01', sunset: '2027-01-01', link: 'https://example.com/lending' },
    permission: write,
    params: { id: Type.String() },
    responses: { 204: { description: 'Lent.' } },
    errors: ['not_found'],
    handler: async () => {},
  }),
  defineRoute({
    method: 'GET',
    path: '/profile',
    operationId: 'findProfile',
    tag: 'Profile',
    summary: 'Me',
    description: 'Me.',
    permission: 'session',
    responses: { 200: { schema: Type.Object({ id: Type.String() }), description: 'Me.', example: { id: 'usr_1' } } },
    errors: [],
    handler: async ({ actor }) => ({ id: actor.userId }),
  }),
];

export const libraryInfo: ApiInfo = {
  title: 'Library',
  version: '1.0.0',
  summary: 'Books',
  description: 'Books.',
  contact: { name: 'The library' },
  tags: ['Books', 'Profile', 'Tests'].map((name) => ({ name, description: `${name}.` })),
};

export function createActor(credentialId: string): Actor {
  return {
    kind: credentialId.startsWith('session') ? 'session' : 'token',
    orgId: credentialId.includes('other') ? 'org_2' : 'org_1',
    userId: 'usr_1',
    role: credentialId.includes('viewer') ? 'viewer' : 'analyst',
    scopes: null,
    credentialId,
    address: '127.0.0.1',
    // High enough that no property test hits the limit.
    rateLimit: { requestsPerMinute: 600_000, burstPerMinute: 1_200_000 },
  };
}

const noDatabase = {
  transaction: () => Promise.reject(new Error('no database here')),
  single: () => Promise.reject(new Error('no database here')),
} as unknown as Database;

export type Library = { app: FastifyInstance; context: LibraryContext; logged: string[] };

/**
 * Creates the application without listening: call it with `inject`. `Authorization: Bearer <anything but "wrong">`
 * authenticates.
 */
export async function createLibrary(overrides: Partial<HttpServerOptions<LibraryContext>> = {}): Promise<Library> {
  const logged: string[] = [];
  const context = { books: new Map(), cursors: createCursorCodec(Buffer.alloc(32, 7)), calls: { created: 0 } };
  const app = await createHttpServer<LibraryContext>({
    routes: libraryRoutes,
    context,
    database: noDatabase,
    authenticate: async (request) => {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
      if (token === undefined || token === 'wrong') throw new ApiError('unauthenticated', 'Send a token.');
      return createActor(token);
    },
    authorize: (actor, permission) => {
      if (permission.role === 'analyst' && actor.role === 'viewer') throw new ApiError('forbidden', 'Needs analyst.');
    },
    rateLimiter: createMemoryRateLimiter(),
    log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
    readiness: async () => {},
    document: overrides.document ?? createOpenApiDocument(overrides.routes ?? libraryRoutes, libraryInfo),
    ...overrides,
    config: { version: '1.0.0', baseUrl: 'http://127.0.0.1:8080', checkResponses: true, ...overrides.config },
  });
  return { app, context, logged };
}
