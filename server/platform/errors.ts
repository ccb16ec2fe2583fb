export { errorCode } from '@assay/scanner/platform/error-code.ts';

/** Every error code that the API returns, with its status. */
export const errorStatuses = {
  invalid_request: 400,
  invalid_cursor: 400,
  malformed_json: 400,
  unauthenticated: 401,
  token_expired: 401,
  token_revoked: 401,
  forbidden: 403,
  insufficient_scope: 403,
  session_required: 403,
  own_request: 403,
  recent_sign_in_required: 403,
  second_factor_required: 403,
  single_sign_on_required: 403,
  password_not_accepted: 403,
  password_change_required: 403,
  address_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  already_exists: 409,
  detection_source_unavailable: 409,
  scan_not_supported: 409,
  no_matching_data_source: 409,
  report_not_ready: 409,
  export_not_ready: 409,
  export_failed: 409,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  limit_reached: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** A problem with one part of a request: where it is, which field, and what is accepted. */
export type ErrorDetail = {
  in?: 'query' | 'body' | 'path' | 'header';
  field?: string;
  message: string;
  id?: string;
  limit?: number;
};

/** Facts about a refusal that the log contains besides its code, such as the id of a revoked token. */
export type RefusalFacts = Record<string, string | number | null>;

/**
 * A failure that is returned to the caller. `message` is sent as is and says what to do: keep internals out of it.
 * `cause` and `facts` are only logged.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly headers: Record<string, string>;
  readonly facts: RefusalFacts | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: ErrorDetail[]; headers?: Record<string, string>; cause?: unknown; facts?: RefusalFacts } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.facts = options.facts;
  }

  get status(): number {
    return errorStatuses[this.code];
  }
}

/** Returns the 400 error for one invalid field. */
export function invalid(place: ErrorDetail['in'], field: string, message: string): ApiError {
  return new ApiError('invalid_request', `${field}: ${message}`, { details: [{ in: place, field, message }] });
}

export function notFound(what: string): ApiError {
  return new ApiError('not_found', `${what} not found: check the id, and that it belongs to this organization.`);
}
