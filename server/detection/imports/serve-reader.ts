import { createServer, type Server } from 'node:http';
import { inSpan, type SpanDescription, type TraceContext } from '@assay/scanner/platform/tracing.ts';
import { ApiError, type ErrorCode, type ErrorDetail, errorCode } from '../../platform/errors.ts';
import { closeUpload, openUpload } from '../../platform/http/body/upload.ts';
import type { ImportOrder, ImportReader } from './import-reader.ts';

/** An error as passed between processes. `code` is the API's code of an ApiError. */
export type PassedError = {
  isApiError: boolean;
  code: string | undefined;
  message: string;
  details?: ErrorDetail[] | undefined;
  headers?: Record<string, string>;
};

/** The header that contains the order for the file in the body, as percent-encoded JSON. */
export const orderHeader = 'assay-order';

/** The API has already checked the minimum speed. */
const anyPace = { windowMs: 3_600_000, minBytes: 0 };

function passed(error: unknown): PassedError {
  if (error instanceof ApiError) {
    const { code, message, details, headers } = error;
    return { isApiError: true, code, message, details, headers };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { isApiError: false, code: errorCode(error), message };
}

/** Turns a passed error into one that is handled like the original. */
export function restored({ isApiError, code, message, details, headers }: PassedError): Error {
  if (isApiError)
    return new ApiError(code as ErrorCode, message, { ...(details && { details }), headers: headers ?? {} });
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

/**
 * Serves a reader of imports on a Unix socket, over HTTP: the body is the file, the response is the result as JSON.
 */
export function serveReader(reader: ImportReader, socketPath: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const upload = openUpload(request, anyPace);
    let status = 200;
    let result: unknown;
    try {
      const order = JSON.parse(decodeURIComponent(String(request.headers[orderHeader]))) as ImportOrder;
      const describe = (): SpanDescription => ({
        name: `read ${order.reads}`,
        kind: 'server',
        parent: request.headers as TraceContext,
      });
      result = await inSpan<unknown>(describe, () =>
        order.reads === 'import' ? reader.receive(order, upload) : reader.preview(order, upload),
      );
    } catch (error) {
      status = 500;
      result = passed(error);
    }
    closeUpload(request);
    // Closing the connection would make the sender's next write fail before it has read the response.
    request.resume();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(result));
  });
  server.requestTimeout = 0;
  server.timeout = 0;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, () => resolve(server));
  });
}
