import type { ErrorBody, ErrorDetail } from './schema.ts';

type Properties = {
  status?: number | null;
  code?: string | null;
  details?: ErrorDetail[];
  requestId?: string | null;
  retryAfterMs?: number | null;
  cause?: unknown;
};

/**
 * The base of all errors of this library, and the error for arguments that are refused before anything is sent. No
 * error contains the token.
 */
export class AssayError extends Error {
  /** The status of the response; null if there was none. */
  readonly status: number | null;
  /** The code for programs, such as `not_found`; null if the response has none, such as a proxy's error page. */
  readonly code: string | null;
  readonly details: ErrorDetail[];
  /** The id under which the service logged the request. */
  readonly requestId: string | null;
  /** The milliseconds to wait before the next attempt, as requested by the service. */
  readonly retryAfterMs: number | null;

  constructor(message: string, properties: Properties = {}) {
    super(message, properties.cause === undefined ? undefined : { cause: properties.cause });
    this.name = new.target.name;
    this.status = properties.status ?? null;
    this.code = properties.code ?? null;
    this.details = properties.details ?? [];
    this.requestId = properties.requestId ?? null;
    this.retryAfterMs = properties.retryAfterMs ?? null;
  }
}

/** There was no response, or it was interrupted. */
export class APIConnectionError extends AssayError {}

/** There was no response in time. */
export class APITimeoutError extends APIConnectionError {}

/** The response is a success, but not JSON: the address is probably not that of an Assay service. */
export class InvalidResponseError extends AssayError {}

/**
 * The service refused the request. The base of the classes for single statuses, and the class of all other statuses.
 */
export class APIStatusError extends AssayError {
  declare readonly status: number;
}

export class BadRequestError extends APIStatusError {}
export class AuthenticationError extends APIStatusError {}
export class PermissionDeniedError extends APIStatusError {}
export class NotFoundError extends APIStatusError {}
export class ConflictError extends APIStatusError {}
export class PreconditionFailedError extends APIStatusError {}
export class PayloadTooLargeError extends APIStatusError {}
export class UnsupportedMediaTypeError extends APIStatusError {}
export class RateLimitError extends APIStatusError {}
export class InternalServerError extends APIStatusError {}
export class ServiceUnavailableError extends InternalServerError {}

const classes: Record<number, typeof APIStatusError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  429: RateLimitError,
  503: ServiceUnavailableError,
};

export const invalidArgument = (message: string) => new AssayError(message, { code: 'invalid_argument' });

/**
 * Returns the milliseconds until the time in `Retry-After`, by the server's clock; null if it is missing or invalid.
 */
function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, at - (Number.isNaN(now) ? Date.now() : now));
}

/** The message for a response that is not Assay's own but a proxy's. */
const messageWithoutBody = (status: number) =>
  status === 413
    ? 'A proxy in front of Assay refused the request (413): its limit for the size of a body is too low. ' +
      'Send less at a time, or ask the operator to raise the limit, as docs/reverse-proxies.md says.'
    : `The server responded with status ${status}.`;

/** Returns the error for a response. `text` is its body, without the token. */
export function statusError(response: Response, text: string): APIStatusError {
  const { status, headers } = response;
  let error: Partial<ErrorBody['error']> = {};
  try {
    error = (JSON.parse(text) as ErrorBody).error ?? {};
  } catch {
    // An error page of a proxy between the client and the service.
  }
  const Class = classes[status] ?? (status >= 500 ? InternalServerError : APIStatusError);
  const message = typeof error.message === 'string' ? error.message : messageWithoutBody(status);
  return new Class(message, {
    status,
    code: typeof error.code === 'string' ? error.code : null,
    details: Array.isArray(error.details) ? error.details : [],
    requestId: error.request_id ?? headers.get('x-request-id'),
    retryAfterMs: readRetryAfter(headers),
  });
}
