import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TProperties } from 'typebox';
import { beginHandling, resumeRequest } from '../cost/charge-requests.ts';
import { type ErrorDetail, invalid, notFound } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Database, Db } from '../postgres/database.ts';
import type { Replicas } from '../postgres/replicas/replicas.ts';
import type { Actor } from './actor.ts';
import { defaultUploadPace, openUpload, type UploadPace } from './body/upload.ts';
import { isNotModified, withBody } from './etag.ts';
import { invalidFields } from './failure.ts';
import { type IdempotentCall, idempotencyKeyOf, runIdempotent } from './idempotency.ts';
import { coerceQuery, readQueryString } from './query-string.ts';
import { RawJson } from './raw-json.ts';
import { type RouteDefinition, takesIdempotencyKey } from './route.ts';
import { type Check, compileShape } from './shape.ts';

/** The request that a compiled route handles. */
export type Call = { request: FastifyRequest; reply: FastifyReply; actor: Actor | null };
type RequestInput = { params: object; query: object; body: unknown };
type Transaction = <T>(run: (tx: Db) => Promise<T>) => Promise<T>;

export type CompiledRoute<Context> = {
  definition: RouteDefinition<Context>;
  status: number;
  /** Validates the request and returns the handler's input. Throws 400, and 404 for a path that can't exist. */
  read(request: FastifyRequest): RequestInput;
  /** Returns the handler's result in the form to be sent. */
  write(reply: FastifyReply, result: unknown): unknown;
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

/** Reports a wrong list item as an error of the parameter: the item's index means nothing to the caller. */
const aboutParameter = (detail: ErrorDetail): ErrorDetail => ({
  ...detail,
  field: detail.field?.replace(/\[\d+\]$/, ''),
});

/** Refuses any body but `{}` for an endpoint without a body: the caller expects an effect that would not occur. */
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
  return (reply, result) => {
    const response = definition.responses[reply.statusCode];
    if (!response) throw new Error(`${definition.operationId} returned the undeclared status ${reply.statusCode}.`);
    if (response.content && (result instanceof Readable || Buffer.isBuffer(result) || typeof result === 'string')) {
      return result;
    }
    if (!response.schema) return undefined;
    if (result === undefined) throw new Error(`${definition.operationId} returned no body.`);
    const wire = result instanceof RawJson ? result.text : JSON.stringify(result);
    const check = result instanceof RawJson && result.isPart ? undefined : checks.get(reply.statusCode);
    const wrong = check ? check(JSON.parse(wire)) : [];
    if (wrong.length > 0) {
      throw new Error(
        `${definition.operationId} returned a response that does not match its schema: ${JSON.stringify(wrong)}`,
      );
    }
    reply.type('application/json');
    return wire;
  };
}

/** Compiles a route's schemas. With `checkResponses`, for tests, a response that does not match its schema is a 500. */
export function compileRoute<Context>(
  definition: RouteDefinition<Context>,
  checkResponses: boolean,
): CompiledRoute<Context> {
  const status = definition.status ?? Number(Object.keys(definition.responses)[0]);
  return { definition, status, read: readerOf(definition), write: writerOf(definition, checkResponses) };
}

/**
 * Runs a route's handler and returns its result in the form to be sent: text, Buffer, stream, or undefined for no
 * body.
 */
async function runHandler<Context>(
  route: CompiledRoute<Context>,
  call: Call,
  input: RequestInput,
  { context, reads }: { context: Context; reads: Database },
  upload: Readable | null,
  transaction: Transaction,
): Promise<unknown> {
  const { request, reply, actor } = call;
  reply.code(route.status);
  const given = { ...input, actor, upload: upload ?? Readable.from([]), context, reads, request, reply, transaction };
  const result = await route.definition.handler(given as unknown as Parameters<typeof route.definition.handler>[0]);
  resumeRequest(request, 'serialisation');
  const wire = route.write(reply, result);
  const version = reply.getHeader('etag');
  if (typeof version === 'string' && typeof wire === 'string') {
    const etag = withBody(version, wire);
    reply.header('etag', etag);
    // A strong entity tag belongs to these exact bytes: another encoding would need another tag.
    request.headers['x-no-compression'] = '1';
    if (isRead(request) && isNotModified(request, etag)) {
      reply.code(304).removeHeader('content-type');
      return undefined;
    }
  }
  if (typeof version === 'string' && wire instanceof Readable && isRead(request) && isNotModified(request, version)) {
    wire.destroy();
    reply.code(304).removeHeader('content-type').removeHeader('content-length').removeHeader('content-encoding');
    return undefined;
  }
  return wire;
}

const isRead = (request: FastifyRequest) => request.method === 'GET' || request.method === 'HEAD';

type Parts<Context> = {
  context: Context;
  database: Database;
  replicas?: Replicas | null;
  log: Log;
  config: { uploadPace?: UploadPace };
};

/**
 * Handles an admitted request: validates it, runs the handler (at most once for an Idempotency-Key), and returns the
 * payload. With replicas, every route that does not read from them uses the primary, and later reads of its caller
 * are at least as recent.
 */
export async function handleRequest<Context>(
  route: CompiledRoute<Context>,
  call: Call,
  parts: Parts<Context>,
): Promise<unknown> {
  const { actor, request } = call;
  const { replicas, database } = parts;
  if (!replicas || actor === null) return handleWith(route, call, parts, database);
  if (route.definition.readsReplica) {
    return handleWith(route, call, parts, replicas.reader(actor.credentialId, request.looked));
  }
  const writes = !isRead(request);
  return replicas.onPrimary(actor.credentialId, () => handleWith(route, call, parts, database), { writes });
}

async function handleWith<Context>(
  route: CompiledRoute<Context>,
  call: Call,
  parts: Parts<Context>,
  reads: Database,
): Promise<unknown> {
  const { request, actor } = call;
  const surroundings = { context: parts.context, reads };
  beginHandling(request);
  const input = route.read(request);
  resumeRequest(request, 'handler');
  const upload = route.definition.rawBody
    ? openUpload(request.raw, parts.config.uploadPace ?? defaultUploadPace)
    : null;
  const takesKey = takesIdempotencyKey(route.definition as RouteDefinition<never>);
  const key = actor !== null && takesKey ? idempotencyKeyOf(request) : null;
  if (key === null) {
    const transaction = transactionOf(parts.database, actor, route.definition.ofAccount);
    return runHandler(route, call, input, surroundings, upload, transaction);
  }
  const once: IdempotentCall = {
    ...call,
    actor: actor!,
    orgId: route.definition.ofAccount ? null : actor!.orgId,
    sensitive: isSensitive(route.definition, parts.context),
    body: input.body,
    upload,
    run: (transaction, hashed) => runHandler(route, call, input, surroundings, hashed, transaction),
    write: route.write,
  };
  return runIdempotent(once, key, parts.database, parts.log);
}

function isSensitive<Context>({ sensitive = false }: RouteDefinition<Context>, context: Context): boolean {
  return typeof sensitive === 'function' ? sensitive(context as never) : sensitive;
}

function transactionOf(database: Database, actor: Actor | null, ofAccount = false): Transaction {
  return (run) => {
    if (actor === null) throw new Error('A public route has no organization to work in.');
    return database.transaction(ofAccount ? null : actor.orgId, run);
  };
}
