import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TProperties } from 'typebox';
import { type ErrorDetail, invalid, notFound } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Database, Db } from '../postgres/database.ts';
import type { Actor } from './actor.ts';
import { isNotModified, withBody } from './etag.ts';
import { invalidFields } from './failure.ts';
import { type IdempotentCall, idempotencyKeyOf, runIdempotent } from './idempotency.ts';
import { coerceQuery, readQueryString } from './query-string.ts';
import { RawJson } from './raw-json.ts';
import type { RouteDefinition } from './route.ts';
import { type Check, compileShape } from './shape.ts';
import { defaultUploadPace, openUpload, type UploadPace } from './upload.ts';

/** What a compiled route needs of the request that it answers. */
export type Call = { request: FastifyRequest; reply: FastifyReply; actor: Actor | null };
type RequestInput = { params: object; query: object; body: unknown };
type Transaction = <T>(run: (tx: Db) => Promise<T>) => Promise<T>;

export type CompiledRoute<Context> = {
  definition: RouteDefinition<Context>;
  status: number;
  /** Checks the request's shape and answers what the handler is given of it. Throws 400, and 404 for a path that can not exist. */
  read(request: FastifyRequest): RequestInput;
  /** The handler's answer as it goes over the wire. */
  write(reply: FastifyReply, answer: unknown): unknown;
};

const noFields: TProperties = {};

function readerOf<Context>(definition: RouteDefinition<Context>): CompiledRoute<Context>['read'] {
  const queryProperties = definition.query ?? noFields;
  const checkQuery = compileShape(Type.Object(queryProperties), 'query');
  const checkParams = compileShape(Type.Object(definition.params ?? noFields), 'path');
  const checkBody = definition.body ? compileShape(definition.body, 'body') : null;

  const readQuery = (request: FastifyRequest) => {
    const { query, wrong } = coerceQuery(queryProperties, readQueryString(request.raw.url ?? ''));
    const details = [...wrong, ...checkQuery(query).map(aboutParameter)];
    if (details.length > 0) throw invalidFields(details);
    for (const [name, value] of Object.entries(query)) {
      if (String(value).includes('\0')) throw invalid('query', name, 'must not contain the character NUL');
    }
    return query;
  };
  const readBody = (request: FastifyRequest) => {
    if (definition.rawBody) return undefined;
    if (checkBody === null) return refuseBody(request.body);
    if (request.body === undefined || request.body === null) {
      throw invalid('body', 'body', 'is required: send a JSON object with Content-Type application/json');
    }
    const details = checkBody(request.body);
    if (details.length > 0) throw invalidFields(details);
    return request.body;
  };
  return (request) => {
    const query = readQuery(request);
    const body = readBody(request);
    const params = (request.params ?? {}) as Record<string, string>;
    const impossible = Object.values(params).some((value) => /[\x00-\x1f\x7f]/.test(value) || !value.isWellFormed());
    if (impossible || (definition.params && checkParams({ ...params }).length > 0)) throw notFound('It was');
    return { params, query, body };
  };
}

/** A list's wrong value is told of the parameter: its place among the values means nothing to the caller. */
const aboutParameter = (detail: ErrorDetail): ErrorDetail => ({
  ...detail,
  field: detail.field?.replace(/\[\d+\]$/, ''),
});

/** An endpoint without a body takes none or `{}`: anything else was meant for something that does not happen. */
function refuseBody(body: unknown): undefined {
  if (body === undefined) return undefined;
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : ['body'];
  if (fields.length === 0) return undefined;
  const details: ErrorDetail[] = fields
    .slice(0, 20)
    .map((field) => ({ in: 'body', field, message: 'is not accepted: this endpoint takes no body' }));
  throw invalidFields(details);
}

function writerOf<Context>(
  definition: RouteDefinition<Context>,
  checkResponses: boolean,
): CompiledRoute<Context>['write'] {
  const checks = new Map<number, Check>();
  for (const [status, response] of Object.entries(definition.responses)) {
    if (response.schema && checkResponses) checks.set(Number(status), compileShape(response.schema, undefined));
  }
  return (reply, answer) => {
    const response = definition.responses[reply.statusCode];
    if (!response) throw new Error(`${definition.operationId} answered the undeclared status ${reply.statusCode}.`);
    if (response.content && (answer instanceof Readable || Buffer.isBuffer(answer) || typeof answer === 'string')) {
      return answer;
    }
    if (!response.schema) return undefined;
    const wire = answer instanceof RawJson ? answer.text : JSON.stringify(answer);
    const check = checks.get(reply.statusCode);
    const wrong = check ? check(JSON.parse(wire)) : [];
    if (wrong.length > 0) {
      throw new Error(`${definition.operationId} answered against its schema: ${JSON.stringify(wrong)}`);
    }
    reply.type('application/json; charset=utf-8');
    return wire;
  };
}

/** Compiles a route's schemas. With `checkResponses` an answer that does not fit its schema is a 500: for tests. */
export function compileRoute<Context>(
  definition: RouteDefinition<Context>,
  checkResponses: boolean,
): CompiledRoute<Context> {
  const status = definition.status ?? Number(Object.keys(definition.responses)[0]);
  return { definition, status, read: readerOf(definition), write: writerOf(definition, checkResponses) };
}

/** Runs a route's handler and answers the wire form of what it returns: text, Buffer, stream, or undefined for no body. */
async function runHandler<Context>(
  route: CompiledRoute<Context>,
  call: Call,
  input: RequestInput,
  context: Context,
  upload: Readable | null,
  transaction: Transaction,
): Promise<unknown> {
  const { request, reply, actor } = call;
  reply.code(route.status);
  const given = { ...input, actor, upload: upload ?? Readable.from([]), context, request, reply, transaction };
  const answer = await route.definition.handler(given as unknown as Parameters<typeof route.definition.handler>[0]);
  const wire = route.write(reply, answer);
  const version = reply.getHeader('etag');
  if (typeof version === 'string' && typeof wire === 'string') {
    const etag = withBody(version, wire);
    reply.header('etag', etag);
    // A strong entity tag is of these bytes: another encoding of them would need another tag.
    request.headers['x-no-compression'] = '1';
    if (isRead(request) && isNotModified(request, etag)) {
      reply.code(304).removeHeader('content-type');
      return undefined;
    }
  }
  return wire;
}

const isRead = (request: FastifyRequest) => request.method === 'GET' || request.method === 'HEAD';

/** Answers a request that was let in: reads it, runs the handler (at most once for an Idempotency-Key), and gives the payload. */
export async function answerRequest<Context>(
  route: CompiledRoute<Context>,
  call: Call,
  parts: { context: Context; database: Database; log: Log; config: { uploadPace?: UploadPace } },
): Promise<unknown> {
  const { request, actor } = call;
  const input = route.read(request);
  const upload = route.definition.rawBody
    ? openUpload(request.raw, parts.config.uploadPace ?? defaultUploadPace)
    : null;
  const key = actor === null ? null : idempotencyKeyOf(request);
  if (key === null) {
    return runHandler(route, call, input, parts.context, upload, tenantTransaction(parts.database, actor));
  }
  const once: IdempotentCall = {
    ...call,
    actor: actor!,
    sensitive: route.definition.sensitive ?? false,
    body: input.body,
    upload,
    run: (transaction, hashed) => runHandler(route, call, input, parts.context, hashed, transaction),
    write: route.write,
  };
  return runIdempotent(once, key, parts.database, parts.log);
}

function tenantTransaction(database: Database, actor: Actor | null): Transaction {
  return (run) => {
    if (actor === null) throw new Error('A public route has no organization to work in.');
    return database.transaction(actor.orgId, run);
  };
}
