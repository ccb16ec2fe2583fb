// Sends the response of an exchange: whole, late, in pieces, cut short or not at all.
import { setTimeout as pause } from 'node:timers/promises';

/** Returns the bytes of a body or of a chunk: a text, `{"base64"}`, or `{"repeat", "times"}`. */
function bytesOf(part) {
  if (typeof part === 'string') return Buffer.from(part);
  if (part.base64 !== undefined) return Buffer.from(part.base64, 'base64');
  return Buffer.from(part.repeat.repeat(part.times));
}

function contentOf({ json, body }) {
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  return body === undefined ? Buffer.alloc(0) : bytesOf(body);
}

/** Enough for a client to read what was sent: whatever it has not read is lost with the connection. */
const beforeResetMs = 200;

async function sendChunks(response, expected) {
  response.flushHeaders();
  for (const chunk of expected.chunks) {
    if (response.destroyed) return;
    if (chunk.pause_ms !== undefined) await pause(chunk.pause_ms);
    else await new Promise((resolve) => response.write(bytesOf(chunk), resolve));
  }
  if (expected.then === 'reset') {
    await pause(beforeResetMs);
    response.socket?.resetAndDestroy();
  } else if (expected.then !== 'hang') response.end();
}

/** Sends the response of an exchange. A response that names no request id gets one with `number` in it. */
export async function respond(response, expected, number) {
  if (expected.delay_ms) await pause(expected.delay_ms);
  if (expected.hang) return;
  if (expected.reset) return void response.socket?.resetAndDestroy();
  const type = expected.json === undefined ? {} : { 'Content-Type': 'application/json' };
  const headers = { 'X-Request-Id': `req_${number}`, ...type, ...expected.headers };
  for (const [name, value] of Object.entries(headers)) if (value !== null) response.setHeader(name, value);
  response.statusCode = expected.status;
  if (expected.chunks) return sendChunks(response, expected);
  const content = contentOf(expected);
  if (expected.cut_after === undefined) return void response.end(content);
  response.setHeader('Content-Length', content.length);
  response.write(content.subarray(0, expected.cut_after), () => response.socket?.destroySoon());
}
