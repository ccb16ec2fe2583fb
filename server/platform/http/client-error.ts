import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ErrorBody } from './failure.ts';

type Refusal = { status: string; code: string; message: string };

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'invalid_request',
    message: 'The address and the headers are larger than 16 KiB together.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request_timeout',
    message: 'The request took too long to arrive.',
  },
};

const malformed: Refusal = {
  status: '400 Bad Request',
  code: 'invalid_request',
  message: 'This is not a well-formed HTTP request.',
};

/** Responds to input that is not a valid HTTP request, in the form of every other error, and closes the connection. */
export function refuseInvalidHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, code, message } = refusals[error.code ?? ''] ?? malformed;
  const requestId = `req_${randomBytes(12).toString('base64url')}`;
  const body = JSON.stringify({ error: { code, message, request_id: requestId } } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
