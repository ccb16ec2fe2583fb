import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { ApiError } from '../errors.ts';
import { isNotModified } from './etag.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * All of Scalar in one file, from its Fastify plugin. The plugin itself is not used, since it writes scripts into the
 * page.
 */
const scalarPath = join(
  dirname(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'))),
  'js/standalone.js',
);

/** A file that is compressed once per encoding, off the main thread. */
class PackedFile {
  readonly #content: Buffer;
  readonly #type: string;
  readonly #cacheControl: string;
  readonly #packed = new Map<'br' | 'gzip', Promise<Buffer>>();

  constructor(content: string | Buffer, type: string, cacheControl: string) {
    this.#content = Buffer.from(content);
    this.#type = type;
    this.#cacheControl = cacheControl;
  }

  #pack(encoding: 'br' | 'gzip'): Promise<Buffer> {
    const known = this.#packed.get(encoding);
    if (known) return known;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    const packed = encoding === 'br' ? compressBrotli(this.#content, quality) : compressGzip(this.#content);
    this.#packed.set(encoding, packed);
    return packed;
  }

  /** Sends the file, or 304 to a client that has it already. Each encoding has its own strong entity tag. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const accepted = String(request.headers['accept-encoding'] ?? '').replace(/[\w*-]+\s*;\s*q=0(\.0*)?\s*(,|$)/g, '');
    const encoding = (['br', 'gzip'] as const).find((name) => accepted.split(/[,;\s]+/).includes(name));
    const etag = `"${tagOf(this.#content)}${encoding ? `-${encoding}` : ''}"`;
    reply.headers({ 'cache-control': this.#cacheControl, vary: 'Accept-Encoding', etag });
    if (isNotModified(request, etag)) return reply.code(304).send();
    if (encoding) reply.header('content-encoding', encoding);
    return reply.type(this.#type).send(encoding ? await this.#pack(encoding) : this.#content);
  }
}

const tagOf = (content: string | Buffer) => createHash('sha256').update(content).digest('base64url').slice(0, 16);

/**
 * Nothing from other hosts, and no inline scripts. Inline styles are allowed because Scalar writes its colours as
 * style elements.
 */
const policy = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      connectSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
};

const startScript = (prefix: string) => `'use strict';
Scalar.createApiReference('#reference', {
  url: '${prefix}/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  externalUrls: {},
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  metaData: { title: document.title },
});
`;

const page = (prefix: string, title: string, version: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The description itself is at <a href="${prefix}/openapi.json">openapi.json</a>.</noscript>
<script src="${prefix}/docs/scalar.js?v=${version}"></script>
<script src="${prefix}/docs/start.js?v=${version}"></script>
</body>
</html>
`;

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Serves `openapi.json` and `docs` below the prefix, without authentication and without content from other hosts. */
export function addDocs(api: FastifyInstance, prefix: string, document: { info: { title: string } }): void {
  const config = { open: true };
  const scalar = readFileSync(scalarPath);
  const start = startScript(prefix);
  const html = page(prefix, escapeHtml(document.info.title), tagOf(Buffer.concat([scalar, Buffer.from(start)])));
  const forever = 'public, max-age=31536000, immutable';
  const json = new PackedFile(JSON.stringify(document), 'application/json', 'public, max-age=60');
  const scripts = {
    'scalar.js': new PackedFile(scalar, 'text/javascript; charset=utf-8', forever),
    'start.js': new PackedFile(start, 'text/javascript; charset=utf-8', forever),
  };

  const others: HTTPMethods[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
  const refuse = async ({ method }: FastifyRequest) => {
    throw new ApiError('method_not_allowed', `${method} is not possible here. Allowed: GET, HEAD.`, {
      headers: { Allow: 'GET, HEAD' },
    });
  };
  for (const url of ['/openapi.json', '/docs']) api.route({ method: others, url, config, handler: refuse });

  const asIs = { config, compress: false as const };
  const forEveryone = { ...asIs, helmet: { crossOriginResourcePolicy: false as const } };
  api.get('/openapi.json', forEveryone, async (request, reply) => json.send(request, reply));
  api.get('/docs', { config, helmet: policy }, async (_request, reply) =>
    reply.header('Cache-Control', 'no-cache').type('text/html; charset=utf-8').send(html),
  );
  for (const [name, file] of Object.entries(scripts))
    api.get(`/docs/${name}`, asIs, async (request, reply) => file.send(request, reply));
}
