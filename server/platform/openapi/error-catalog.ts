import { type ErrorCode, errorStatuses } from '../errors.ts';

/** The condition for each code, for the OpenAPI document. */
const errorMeanings: Record<ErrorCode, string> = {
  invalid_request: 'A parameter, a field or its value is not accepted; `details` lists each.',
  invalid_cursor: '`next_cursor` was changed, or belongs to other filters or another sort.',
  malformed_json: 'The body is not JSON in UTF-8, or an object in it has a key twice.',
  unauthenticated: 'The API token is missing or does not exist.',
  token_expired: 'The API token has expired.',
  token_revoked: 'The API token was revoked.',
  forbidden: "The user's role does not allow the request.",
  insufficient_scope: "The token's scopes do not allow the request.",
  session_required: 'Only people who are signed in to the console can do this.',
  own_request: 'It is the caller’s own request: another person approves or rejects it.',
  recent_sign_in_required: 'The sign-in is older than 15 minutes: send the password, or sign in again.',
  second_factor_required: 'The organization requires a second factor, which this session did not start with.',
  single_sign_on_required: 'The organization requires single sign-on.',
  password_not_accepted: 'The organization does not accept sessions that started with a password.',
  password_change_required: 'The password was generated: the person has to choose another one first.',
  address_not_allowed: 'The organization does not accept requests from this address.',
  not_found: 'The organization has nothing with this id.',
  method_not_allowed: 'The path does not support this method; `Allow` lists the methods that it supports.',
  request_timeout: 'The body stopped arriving, or arrived too slowly.',
  conflict: 'The current state does not allow the request.',
  already_exists: 'It already exists; `details` has its id where that helps.',
  detection_source_unavailable: 'The detection source cannot run; its `status_reason` says why.',
  scan_not_supported: 'The detection source only receives results; it cannot be started.',
  no_matching_data_source: 'There is no data source of a kind that the detection source scans.',
  report_not_ready: 'The report is not finished, or has failed.',
  export_not_ready: 'The report is still being rendered in this format; `Retry-After` estimates the time that is left.',
  export_failed:
    'The report cannot be rendered in this format, because a template or logo of the operator has an error; the message names file, line and problem.',
  idempotency_conflict: 'The `Idempotency-Key` was already used with another request.',
  idempotency_in_progress: 'The first request with this `Idempotency-Key` is still running.',
  limit_reached:
    'The maximum number of these is reached; the message and `details` say how many that are. Delete one first.',
  precondition_failed: 'The resource has changed since the version that `If-Match` names.',
  payload_too_large: 'The body is larger than is accepted.',
  unsupported_media_type: 'The body has another `Content-Type` or `Content-Encoding` than the operation accepts.',
  misdirected_request: 'The `Host` is not a name of this service.',
  rate_limited: 'Too many requests. `Retry-After` says how many seconds to wait.',
  internal_error: 'An error of the server; the operator can find it in the log by its `request_id`.',
  unavailable: 'The service is temporarily unavailable, for example while its database restarts.',
};

const names: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  421: 'MisdirectedRequest',
  422: 'UnprocessableContent',
  429: 'RateLimited',
  431: 'RequestHeaderFieldsTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
};

/** Returns the name of the response component of a status. */
function responseName(status: number): string {
  const name = names[status];
  if (name === undefined) throw new Error(`Name the response of status ${status} in error-catalog.ts.`);
  return name;
}

const exampleMessages: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'limit: must be between 1 and 200',
  rate_limited: 'More than the 100 requests per minute of this credential. Wait 3 seconds and try again.',
};

const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });
const requestId = header('X-Request-Id');
export const commonHeaders = { ...requestId, ...header('RateLimit-Policy'), ...header('RateLimit') };
const ownHeaders: Record<number, object> = {
  401: header('WWW-Authenticate'),
  405: header('Allow'),
  429: header('Retry-After'),
  503: header('Retry-After'),
};

const example = (code: ErrorCode) => ({
  error: {
    code,
    message: exampleMessages[code] ?? errorMeanings[code].replaceAll('`', ''),
    ...(code === 'invalid_request'
      ? { details: [{ in: 'query', field: 'limit', message: 'must be between 1 and 200' }] }
      : {}),
    request_id: 'req_0AbCdEfGhIjKlMnO',
  },
});

const jsonOf = (examples: object) => ({
  'application/json': { schema: { $ref: '#/components/schemas/Error' }, ...examples },
});

const describeCodes = (codes: ErrorCode[]) => codes.map((code) => `\`${code}\`: ${errorMeanings[code]}`).join('\n\n');

const headersTooLarge = 'The URL and the headers together are larger than 16 KiB.';

const allCodes = Object.keys(errorStatuses) as ErrorCode[];

/** Groups the error codes by status. */
function byStatus(codes: Iterable<ErrorCode>): [number, ErrorCode[]][] {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const status = errorStatuses[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

/** Returns all codes of a status. */
const codesOf = (status: number) => allCodes.filter((code) => errorStatuses[code] === status);

/**
 * Creates one response component for each error status. All operations refer to it, so that generators create one
 * type for it.
 */
export function errorComponents(): Record<string, object> {
  const components = byStatus(allCodes).map(([status, codes]) => [
    responseName(status),
    {
      description: describeCodes(codes),
      headers: { ...commonHeaders, ...ownHeaders[status] },
      content: jsonOf({ examples: Object.fromEntries(codes.map((code) => [code, { value: example(code) }])) }),
    },
  ]);
  // A request that the parser refuses is never authenticated or counted, so this response has no rate limit headers.
  const tooLarge = {
    description: `\`invalid_request\`: ${headersTooLarge}`,
    headers: requestId,
    content: jsonOf({
      example: {
        error: { code: 'invalid_request', message: headersTooLarge, request_id: 'req_0AbCdEfGhIjKlMnO' },
      },
    }),
  };
  return { ...Object.fromEntries(components), [responseName(431)]: tooLarge };
}

/** Returns whether other codes have the same status, so that the status alone does not identify the error. */
export const isOneOfSeveral = (code: ErrorCode): boolean => codesOf(errorStatuses[code]).length > 1;

/** Returns the error responses of an operation by status, as references. */
export function errorReferences(codes: Iterable<ErrorCode>): Record<number, object> {
  const statuses = [...byStatus(codes).map(([status]) => status), 431];
  const refer = (status: number) => ({ $ref: `#/components/responses/${responseName(status)}` });
  return Object.fromEntries(statuses.map((status) => [status, refer(status)]));
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The body of every failure, as named schemas. */
export const errorSchemas = {
  Error: {
    type: 'object',
    description: 'The body of every failure.',
    required: ['error'],
    properties: { error: ref('ErrorContent') },
  },
  ErrorContent: {
    type: 'object',
    required: ['code', 'message', 'request_id'],
    properties: {
      code: {
        type: 'string',
        description: 'For programs: codes do not change. New codes may be added.',
        examples: ['invalid_request'],
      },
      message: { type: 'string', description: 'For people: what was wrong, and what is accepted.' },
      details: { type: 'array', description: 'Lists each problem of the request.', items: ref('ErrorDetail') },
      request_id: { type: 'string', description: 'The same as in `X-Request-Id`.' },
    },
  },
  ErrorDetail: {
    type: 'object',
    description: 'An error in one field or parameter of a request.',
    required: ['message'],
    properties: {
      in: { ...ref('ErrorPlace'), description: 'The part of the request that has the problem.' },
      field: {
        type: 'string',
        description: 'The parameter, header or field: `limit`, `If-Match`, `config.url`, `ids[3]`.',
        examples: ['config.url'],
      },
      message: { type: 'string', description: 'The error, and what is accepted.' },
      id: {
        type: 'string',
        description: 'The id of what conflicts with the request, for example of what exists already.',
      },
      limit: { type: 'integer', description: 'The limit that is reached.' },
    },
  },
  ErrorPlace: { type: 'string', enum: ['query', 'body', 'path', 'header'] },
};
