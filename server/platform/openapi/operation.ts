import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import { type ResponseDefinition, type RouteDefinition, takesIdempotencyKey } from '../http/route.ts';
import { errorReferences, isOneOfSeveral } from './error-catalog.ts';
import type { SchemaRegistry } from './schemas.ts';

type Route = RouteDefinition<never>;
type Json = Record<string, unknown>;

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });

/** The refusals for a session that does not meet the sign-in policy of its organization. */
const signInErrors = [
  'second_factor_required',
  'single_sign_on_required',
  'password_not_accepted',
  'password_change_required',
  'address_not_allowed',
] as const;

/** Returns the error codes of an operation that follow from its kind, besides those that it declares. */
function automaticErrors(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['invalid_request'];
  if (route.permission !== 'public') codes.push('unauthenticated', 'token_expired', 'token_revoked', 'rate_limited');
  if (route.permission !== 'public' && !route.anySignIn) codes.push(...signInErrors);
  else if (route.permission === 'authenticated') codes.push('address_not_allowed');
  if (route.permission === 'session') codes.push('session_required');
  else if (typeof route.permission === 'object') codes.push('forbidden', 'insufficient_scope');
  if (route.method !== 'GET') codes.push('request_timeout', 'unsupported_media_type');
  if (route.method !== 'GET' && !route.rawBody) codes.push('malformed_json', 'payload_too_large');
  if (route.params) codes.push('not_found');
  codes.push('method_not_allowed', 'misdirected_request');
  if (takesIdempotencyKey(route)) codes.push('idempotency_conflict', 'idempotency_in_progress');
  return [...codes, 'internal_error', 'unavailable'];
}

function commonHeaders(route: Route): Json {
  const limits =
    route.permission === 'public'
      ? {}
      : { 'RateLimit-Policy': header('RateLimit-Policy'), RateLimit: header('RateLimit') };
  const deprecation = route.deprecated
    ? { Deprecation: header('Deprecation'), ...(route.deprecated.sunset ? { Sunset: header('Sunset') } : {}) }
    : {};
  return { 'X-Request-Id': header('X-Request-Id'), ...limits, ...deprecation };
}

function contentOf(response: ResponseDefinition, schemas: SchemaRegistry): Json {
  if (response.content) {
    const written = Object.entries(response.content).map(([type, schema]) => [
      type,
      { schema: schemas.publish(schema) },
    ]);
    return { content: { ...(response.schema ? jsonContent(response, schemas) : {}), ...Object.fromEntries(written) } };
  }
  return response.schema ? { content: jsonContent(response, schemas) } : {};
}

function jsonContent(response: ResponseDefinition, schemas: SchemaRegistry): Json {
  const example = response.example === undefined ? {} : { example: response.example };
  return { 'application/json': { schema: schemas.publish(response.schema), ...example } };
}

function successResponse(route: Route, response: ResponseDefinition, schemas: SchemaRegistry): Json {
  const own = Object.entries(response.headers ?? {}).map(([name, description]) => [
    name,
    name === 'ETag' ? header('ETag') : { description, schema: { type: 'string' } },
  ]);
  const replayed = takesIdempotencyKey(route) ? { 'Idempotency-Replayed': header('Idempotency-Replayed') } : {};
  const waited = route.waits ? { 'Preference-Applied': header('Preference-Applied') } : {};
  return {
    description: response.description,
    headers: { ...commonHeaders(route), ...replayed, ...waited, ...Object.fromEntries(own) },
    ...contentOf(response, schemas),
  };
}

const pathDescription = 'The id, as returned by the list or on creation.';

/** Returns the component name of a path parameter that operations share: `FindingId` for `/findings/{id}`. */
function pathParameterName(path: string, name: string): string {
  const [, collection = ''] = new RegExp(`([a-z-]+)/\\{${name}\\}`).exec(path) ?? [];
  const thing = collection.replace(/s$/, '').replaceAll('-', '_');
  return `${thing}_${name.replace(`${thing}_`, '')}`.replace(/(^|_)([a-z])/g, (_, _gap, letter) =>
    letter.toUpperCase(),
  );
}

/**
 * Returns a parameter, with the description moved out of its schema to where tools look for it. A parameter that
 * several operations share is a reference, named by its schema or by its place in the path.
 */
function parameterOf(route: Route, name: string, place: 'path' | 'query', schema: TSchema, schemas: SchemaRegistry) {
  const { description: _, ...rest } = schemas.publish(schema) as Json;
  const { description, type } = schema as { description?: string; type?: unknown };
  const list = type === 'array' ? { style: 'form', explode: false } : {};
  const optional = '~optional' in schema;
  const { 'x-parameter': given, ...extensions } = schema as {
    'x-parameter'?: string;
    'x-filter'?: Json;
    'x-sorts'?: Json;
  };
  const published = (['x-filter', 'x-sorts'] as const).filter((name) => extensions[name] !== undefined);
  const written = {
    name,
    in: place,
    ...(place === 'path' || !optional ? { required: true } : {}),
    ...(description === undefined && place === 'query' ? {} : { description: description ?? pathDescription }),
    ...list,
    ...Object.fromEntries(published.map((name) => [name, extensions[name]])),
    schema: rest,
  };
  const shared = given ?? (place === 'path' ? pathParameterName(route.path, name) : undefined);
  if (shared === undefined) return written;
  if (!isDeepStrictEqual(schemas.parameters[shared] ?? written, written)) {
    if (given === undefined) return written;
    throw new Error(`Two parameters of different schemas are called ${shared}.`);
  }
  schemas.parameters[shared] = written;
  return parameter(shared);
}

/** Returns whether a read has an ETag, so that a client with the current version need not download the body again. */
const hasReadTag = (route: Route) =>
  route.method === 'GET' && Object.values(route.responses).some(({ headers }) => headers && 'ETag' in headers);

/** Returns the response to an `If-None-Match` that names the current version. */
function notModified(route: Route): Json {
  if (!hasReadTag(route)) return {};
  return { 304: { $ref: '#/components/responses/NotModified' } };
}

function parametersOf(route: Route, schemas: SchemaRegistry): Json[] {
  const list = [
    ...Object.entries(route.params ?? {}).map(([name, schema]) => parameterOf(route, name, 'path', schema, schemas)),
    ...Object.entries(route.query ?? {}).map(([name, schema]) => parameterOf(route, name, 'query', schema, schemas)),
  ];
  if (takesIdempotencyKey(route)) list.push(parameter('IdempotencyKey'));
  if (route.waits) list.push(parameter('Prefer'));
  if (route.errors.includes('precondition_failed')) list.push(parameter('IfMatch'));
  if (hasReadTag(route)) list.push(parameter('IfNoneMatch'));
  return list;
}

function requestBodyOf(route: Route, schemas: SchemaRegistry): Json {
  if (route.rawBody) {
    const content = route.rawBody.contentTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]);
    return {
      requestBody: { required: true, description: route.rawBody.description, content: Object.fromEntries(content) },
    };
  }
  if (!route.body) return {};
  const example = route.requestExample === undefined ? {} : { example: route.requestExample };
  const content = { 'application/json': { schema: schemas.publish(route.body, true), ...example } };
  const { bodyLimit } = route;
  const description = bodyLimit === undefined ? {} : { description: `At most ${bodyLimit / 1024} KiB.` };
  return { requestBody: { required: true, ...description, content } };
}

/** Returns the security requirement of an operation that differs from the document's default, an API token. */
function securityOf({ permission }: Route): Json {
  if (permission === 'public') return { security: [] };
  return permission === 'session' ? { security: [{ session: [] }] } : {};
}

/** Returns the sentence about the permission that an operation requires. */
function describeAccess({ permission }: Route): string {
  if (permission === 'public') return 'Needs no authentication.';
  if (permission === 'session') return 'Only for people who are signed in to the console: API tokens cannot call it.';
  if (permission === 'authenticated') return 'Every token and session may call it.';
  return `Needs the role \`${permission.role}\` and, for tokens with scopes, the scope \`${permission.scope}\`.`;
}

/**
 * Returns the description of an operation: its own, the required permission, and the error codes that do not follow
 * from its kind.
 */
function describe(route: Route): string {
  const policy = route.anySignIn ? " Sessions that do not meet the organization's sign-in policy may call it too." : '';
  const automatic = automaticErrors(route);
  const own = route.errors.filter((code) => isOneOfSeveral(code) && !automatic.includes(code));
  const codes = own.length > 0 ? [`Its own error codes: ${own.map((code) => `\`${code}\``).join(', ')}.`] : [];
  return [route.description, `${describeAccess(route)}${policy}`, ...codes].join('\n\n');
}

/** Returns an operation of the document. */
export function operationOf(route: Route, schemas: SchemaRegistry): Json {
  const successes = Object.entries(route.responses).map(([status, response]) => [
    status,
    successResponse(route, response, schemas),
  ]);
  const { permission } = route;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: describe(route),
    ...(route.deprecated ? { deprecated: true, 'x-deprecation': route.deprecated } : {}),
    ...(route.extension ? { 'x-extension': true } : {}),
    ...(typeof permission === 'object' ? { 'x-permission': permission } : {}),
    ...securityOf(route),
    parameters: parametersOf(route, schemas),
    ...requestBodyOf(route, schemas),
    responses: {
      ...Object.fromEntries(successes),
      ...notModified(route),
      ...errorReferences([...automaticErrors(route), ...route.errors]),
    },
  };
}
