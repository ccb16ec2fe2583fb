import { APIStatusError } from '@assay/client';

type ErrorBody = { error?: { code?: string; message?: string; details?: []; request_id?: string } };

/** The error of a response outside the API's prefix, in the shape that the client library gives. */
export function statusErrorOf(response: Response, text: string): APIStatusError {
  let error: ErrorBody['error'] = {};
  try {
    error = (JSON.parse(text) as ErrorBody).error ?? {};
  } catch {
    // A proxy's page: only the status is useful.
  }
  return new APIStatusError(error.message ?? `The server returned ${response.status}.`, {
    status: response.status,
    code: error.code ?? null,
    details: error.details ?? [],
    requestId: error.request_id ?? response.headers.get('x-request-id'),
  });
}
