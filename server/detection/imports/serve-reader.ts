import { createServer, type Server } from 'node:http';
import { inSpan, type SpanDescription, type TraceContext } from '@assay/scanner/platform/tracing.ts';
import { ApiError, type ErrorCode, type ErrorDetail, errorCode } from '../../platform/errors.ts';
import { closeUpload, openUpload } from '../../platform/http/body/upload.ts';
import type { ImportOrder, ImportReader } from './import-reader.ts';

/** An error as it passes from one process to another. `code` of an ApiError is that of the API. */
export type PassedError = {
  isApiError: boolean;
  code: string | undefined;
  message: string;
  details?: ErrorDetail[] | undefined;
  headers?: Record<string, string>;
};

/** The header in which an order comes with its file, as JSON in percent-encoding. */
export const orderHeader = 'assay-order';

/** The API has checked the pace already. */
const anyPace = { windowMs: 3_600_000, minBytes: 0 };

function passed(error: unknown): PassedError {
  if (error instanceof ApiError) {
    const { code, message, details, headers } = error;
    return { isApiError: true, code, message, details, headers };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { isApiError: false, code: errorCode(error), message };
}

/** Turns a passed error into one that is handled as the original would be. */
export function restored({ isApiError, code, message, details, headers }: PassedError): Error {
  if (isApiError)
    return new ApiError(code as ErrorCode, message, { ...(details && { details }), headers: headers ?? {} });
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

/** Serves a reader of imports on a Unix socket, over HTTP: the body is the file, the response is the result as JSON. */
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
    // Closing the connection would make the sender fail at its next write, before it has read why.
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
