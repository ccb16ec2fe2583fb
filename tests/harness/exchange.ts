import { type Agent, type IncomingHttpHeaders, request as send } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

export type ApiResponse = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts what it reads of a response
  body: any;
};

export type Sent = { json?: unknown; raw?: string | Buffer; headers?: Record<string, string> };

type Decoder = (bytes: Buffer) => Buffer;
const decoders: Record<string, Decoder> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
  zstd: zstdDecompressSync,
};

/** Sends a request unchanged, without correcting its path or headers. */
export function exchange(
  origin: string,
  agent: Agent,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<ApiResponse> {
  const payload = sent.json === undefined ? sent.raw : JSON.stringify(sent.json);
  const headers: Record<string, string | number> = { ...sent.headers };
  if (sent.json !== undefined) headers['content-type'] ??= 'application/json';
  if (payload !== undefined) headers['content-length'] = Buffer.byteLength(payload);
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const outgoing = send({ hostname, port, method, path, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('error', reject);
      const finish = () => {
        const decode = decoders[incoming.headers['content-encoding'] ?? ''] ?? ((bytes) => bytes);
        const text = decode(Buffer.concat(chunks)).toString();
        const isJson = /^application\/(vnd\.assay\.\w+\+)?json/.test(incoming.headers['content-type'] ?? '');
        const body = isJson && text !== '' ? JSON.parse(text) : null;
        resolve({ status: incoming.statusCode!, headers: incoming.headers, text, body });
      };
      incoming.on('end', finish);
      const isStream = incoming.headers['content-type']?.startsWith('text/event-stream');
      incoming.on('data', (chunk) => {
        chunks.push(chunk);
        // An event stream has no end: its start is enough.
        if (isStream) {
          finish();
          outgoing.destroy();
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}
