import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, type ErrorDetail, errorCode } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { isForeignKeyViolation, translateDatabaseError } from '../postgres/database.ts';
import { createRefusalLog } from '../refusals.ts';

export type ErrorBody = {
  error: { code: string; message: string; details?: ErrorDetail[]; request_id: string };
};

/** Returns the 400 error for one or more invalid fields, with the message of the first. */
export function invalidFields(details: ErrorDetail[]): ApiError {
  const [first, ...more] = details;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more: see details)`;
  return new ApiError('invalid_request', `${first!.field}: ${first!.message}${rest}`, { details });
}

/** Translates the framework's own errors. */
function fromFramework(error: FastifyError): ApiError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return new ApiError('unsupported_media_type', 'Content-Type: must be application/json.', { cause: error });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('payload_too_large', 'The body is larger than this endpoint accepts. Send less at a time.', {
        cause: error,
      });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('invalid_request', 'Content-Length: must be the length of the body.', { cause: error });
    default:
      return null;
  }
}

/** Returns whether a file is missing. A missing socket has the same code. */
const isAboutAFile = (error: unknown) =>
  errorCode(error) === 'ENOENT' && (error as { syscall?: string }).syscall !== 'connect';

/**
 * SQLSTATEs of statements that may succeed when repeated: rolled back in favour of another transaction, or cancelled
 * because they or their lock took too long.
 */
const isCutShort = (error: unknown) => /^(40001|40P01|55P03|57014)$/.test(errorCode(error) ?? '');

/**
 * Returns the error to send: an ApiError unchanged, 503 when the database is unavailable or too busy, and 500 for
 * anything else, with the cause for the log.
 */
function toApiError(error: unknown): ApiError {
  const translated = isAboutAFile(error) ? error : translateDatabaseError(error);
  if (translated instanceof ApiError) return translated;
  if (isCutShort(translated)) {
    return new ApiError('unavailable', 'The database is too busy for this at the moment. Try again in a few seconds.', {
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  }
  const known = fromFramework(translated as FastifyError);
  if (known) return known;
  if (isForeignKeyViolation(translated)) {
    const gone = 'A resource that this request refers to was deleted meanwhile. Repeat the request without it.';
    return new ApiError('conflict', gone, { cause: error });
  }
  const message =
    'Something went wrong on our side. Try again. If the error persists, send the request id to the operator.';
  return new ApiError('internal_error', message, { cause: error });
}

function errorBody(error: ApiError, requestId: string): ErrorBody {
  const details = error.details && error.details.length > 0 ? { details: error.details } : {};
  return { error: { code: error.code, message: error.message, ...details, request_id: requestId } };
}

/**
 * Logs a failure of 500 or above. An unavailable database is not our error, and work that was aborted because the
 * client left (`isGone`) is not logged either.
 */
function logFailure(log: Log, failure: ApiError, { requestId, isGone }: { requestId: string; isGone: boolean }) {
  const err = failure.cause ?? failure;
  const isAborted = isGone && err instanceof Error && err.name === 'AbortError';
  const level = isAborted ? 'debug' : failure.code === 'unavailable' ? 'warn' : 'error';
  log[level]({ err, requestId }, failure.message);
}

export type FailureOptions = {
  log: Log;
  /** Called with every request that fails, before its response is sent. */
  onRefusal?(request: FastifyRequest, failure: ApiError): void;
};

/** Sends each failure as its error, and logs server failures and refusals. */
export function handleFailures(app: FastifyInstance, { log, onRefusal }: FailureOptions, metrics: Metrics): void {
  const logRefusal = createRefusalLog(log, metrics);
  app.setErrorHandler((error, request, reply) => {
    const failure = toApiError(error);
    logRefusal(request, failure);
    onRefusal?.(request, failure);
    if (failure.status >= 500) logFailure(log, failure, { requestId: request.id, isGone: reply.raw.destroyed });
    // These headers belong to the response that the handler did not complete.
    for (const name of ['etag', 'location', 'content-disposition', 'content-length']) reply.removeHeader(name);
    // The framework would close the connection whenever a body was not read; `finishBodies` keeps it open where
    // possible.
    reply.removeHeader('connection');
    if (failure.status === 401) reply.header('WWW-Authenticate', 'Bearer');
    reply.code(failure.status).headers(failure.headers).type('application/json');
    return reply.send(JSON.stringify(errorBody(failure, request.id)));
  });
}
