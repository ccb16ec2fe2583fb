import { APIConnectionError, APIStatusError, AssayError } from '@assay/client';

/** An error in words, with the id under which it is in the server's log. */
export type Problem = { message: string; requestId: string | null; fields: Record<string, string> };

function readFields(error: APIStatusError): Record<string, string> {
  return Object.fromEntries(
    error.details.map(({ field, message }) => [(field ?? '').replace(/^(body|query)\.?/, ''), message]),
  );
}

/** Turns anything that was thrown into a sentence for people. */
export function explain(error: unknown): Problem {
  if (error instanceof APIConnectionError) {
    return { message: 'The server can not be reached. Check your connection.', requestId: null, fields: {} };
  }
  if (error instanceof APIStatusError) {
    const message = error.message.replace(/^(body|query)\.(?=\w)/, '');
    return { message, requestId: error.requestId, fields: readFields(error) };
  }
  if (error instanceof AssayError) return { message: error.message, requestId: error.requestId, fields: {} };
  return { message: error instanceof Error ? error.message : 'Something went wrong.', requestId: null, fields: {} };
}

/** Whether the session has ended, so that the person must sign in again. */
export const isSignedOut = (error: unknown): boolean => error instanceof APIStatusError && error.status === 401;
