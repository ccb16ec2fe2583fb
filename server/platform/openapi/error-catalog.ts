import { type ErrorCode, errorStatuses } from '../errors.ts';

/** When each code is answered, for the OpenAPI document. */
export const errorMeanings: Record<ErrorCode, string> = {
  invalid_request: 'A parameter, a field or its value is not what is accepted; `details` names each.',
  invalid_cursor: '`next_cursor` was changed, or belongs to other filters or another sort.',
  malformed_json: 'The body is not JSON in UTF-8.',
  unauthenticated: 'No API token, or one that does not exist.',
  token_expired: 'The API token has expired.',
  token_revoked: 'The API token was revoked.',
  forbidden: "The user's role does not allow it.",
  insufficient_scope: "The token's scopes do not allow it.",
  session_required: 'Only for people signed in to the console.',
  not_found: 'Nothing of this id in the organization.',
  method_not_allowed: 'The path does not have this method; `Allow` lists those that it has.',
  request_timeout: 'The body stopped arriving, or arrived too slowly.',
  conflict: 'The state of things does not allow it now.',
  already_exists: 'There is one already; `details` gives its id where that helps.',
  detection_source_unavailable: 'The detection source can not run: its `status_reason` says why.',
  scan_not_supported: 'The detection source only takes in results; it can not be started.',
  no_matching_data_source: 'There is no data source of a kind that the detection source scans.',
  report_not_ready: 'The report is still being made, or has failed.',
  idempotency_conflict: 'The `Idempotency-Key` was used with another request.',
  idempotency_in_progress: 'The first call with this `Idempotency-Key` still runs.',
  precondition_failed: 'It has changed since the version that `If-Match` names.',
  payload_too_large: 'The body is larger than is accepted.',
  unsupported_media_type: 'The body is not `application/json`.',
  rate_limited: 'Too many requests. `Retry-After` says how many seconds to wait.',
  internal_error: 'A failure on our side; the operator finds it by its `request_id`.',
  unavailable: 'The service can not answer at the moment, e.g. while its database restarts.',
};

const titles: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'RateLimited',
  431: 'RequestHeaderFieldsTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
};

const exampleMessages: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'limit: must be between 1 and 200',
  rate_limited: 'More than the 100 requests per minute of this credential. Wait 3 seconds and try again.',
};

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };
const headersOf: Record<number, object> = {
  401: { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } },
  429: retryAfter,
  503: retryAfter,
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

/** The error responses of an operation, by status, from the codes that it answers. */
export function errorResponses(codes: Iterable<ErrorCode>, headers: Record<string, object>): Map<number, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes))
    byStatus.set(errorStatuses[code], [...(byStatus.get(errorStatuses[code]) ?? []), code]);
  const responses = new Map<number, object>();
  for (const [status, listed] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses.set(status, {
      description: listed.map((code) => `\`${code}\`: ${errorMeanings[code]}`).join('\n\n'),
      headers: { ...headers, ...headersOf[status] },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(listed.map((code) => [code, { value: example(code) }])),
        },
      },
    });
  }
  return responses;
}

/** The answer to what never became a request: it comes before authentication and limits, so it has none of their headers. */
export const headersTooLarge = {
  description: '`invalid_request`: The address and the headers are larger than 16 KiB together.',
  headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: {
        error: {
          code: 'invalid_request',
          message: 'The address and the headers are larger than 16 KiB together.',
          request_id: 'req_0AbCdEfGhIjKlMnO',
        },
      },
    },
  },
};

/** Name of a shared response of a status. */
export const responseName = (status: number) => titles[status] ?? `Status${status}`;

export const errorSchema = {
  type: 'object',
  description: 'What every failure answers.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: {
          type: 'string',
          description: 'For programs: it does not change. New codes may come.',
          examples: ['invalid_request'],
        },
        message: { type: 'string', description: 'For people: what was wrong, and what is accepted.' },
        details: {
          type: 'array',
          description: 'Each thing that was wrong.',
          items: {
            type: 'object',
            required: ['message'],
            properties: {
              in: { type: 'string', enum: ['query', 'body', 'path', 'header'] },
              field: { type: 'string', examples: ['config.url'] },
              message: { type: 'string' },
              id: { type: 'string', description: 'What is in the way, e.g. the one that exists already.' },
            },
          },
        },
        request_id: { type: 'string', description: 'As in `X-Request-Id`.' },
      },
    },
  },
};
