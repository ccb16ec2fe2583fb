import { APIConnectionError, APIStatusError, AssayError } from '@assay/client';
import { readFields, readMessage } from './refusal.ts';

type ErrorBody = { error?: { code?: string; message?: string; details?: []; request_id?: string } };

/** Returns the milliseconds after which the server asks to repeat a request; null if it does not ask. */
export function retryAfterOf(response: Response): number | null {
  const text = response.headers.get('retry-after')?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) * 1000 : null;
}

/** The error of a response outside the API's prefix, in the client library's form. */
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
    retryAfterMs: retryAfterOf(response),
  });
}

/** An error message with the request id for the server's log. */
export type Problem = {
  message: string;
  requestId: string | null;
  fields: Record<string, string>;
  /** Whether the same request may succeed later. */
  mayPass: boolean;
};

/** Conflicts, limits and failures may be temporary; a missing resource, a forbidden or an invalid request is not. */
const mayPass = ({ status }: APIStatusError): boolean => status >= 500 || [408, 409, 412, 429].includes(status);

/** Turns a thrown value into a sentence for people, without the fields that are already shown (`isShown`). */
export function explain(error: unknown, isShown: (field: string) => boolean = () => false): Problem {
  if (error instanceof APIConnectionError) {
    const message = 'The server cannot be reached. Check your connection.';
    return { message, requestId: null, fields: {}, mayPass: true };
  }
  if (error instanceof APIStatusError) {
    return {
      message: readMessage(error, isShown),
      requestId: error.requestId,
      fields: readFields(error),
      mayPass: mayPass(error),
    };
  }
  if (error instanceof AssayError) {
    return { message: error.message, requestId: error.requestId, fields: {}, mayPass: true };
  }
  const message = error instanceof Error ? error.message : 'Something went wrong.';
  return { message, requestId: null, fields: {}, mayPass: true };
}

/** Whether the session has ended and the person must sign in again. */
export const isSignedOut = (error: unknown): boolean => error instanceof APIStatusError && error.status === 401;
