import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { allMethods } from './accepted-requests.ts';
import type { ErrorBody } from './failure.ts';

type Refusal = { status: string; code: string; message: string; headers?: string[] };
type ClientError = Error & { code?: string; rawPacket?: unknown };

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

const unknownMethod: Refusal = {
  status: '405 Method Not Allowed',
  code: 'method_not_allowed',
  message: 'This method does not exist here.',
  headers: [`Allow: ${allMethods}`],
};

/** Returns whether only the method of a request is unknown to the parser. */
const hasUnknownMethod = ({ code, rawPacket }: ClientError) =>
  code === 'HPE_INVALID_METHOD' &&
  /^[A-Z-]{1,30} \/\S* HTTP\/1\.[01]\r?\n/.test(Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '');

/** Responds to input that is not a valid HTTP request, in the form of every other error, and closes the connection. */
export function refuseInvalidHttp(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal = hasUnknownMethod(error) ? unknownMethod : (refusals[error.code ?? ''] ?? malformed);
  const { status, code, message, headers = [] } = refusal;
  const requestId = `req_${randomBytes(12).toString('base64url')}`;
  const body = JSON.stringify({ error: { code, message, request_id: requestId } } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...headers,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
