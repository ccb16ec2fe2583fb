import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { ApiError } from '../errors.ts';

/**
 * All of Scalar in one file, which its Fastify plugin contains. The plugin itself is not used, since it writes scripts
 * into the page.
 */
const scalarPath = join(
  dirname(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'))),
  'js/standalone.js',
);

const tagOf = (content: string | Buffer) => createHash('sha256').update(content).digest('base64url').slice(0, 16);

/**
 * Nothing from other hosts, and no scripts in the page. The one exception is for Scalar, which writes its colours as
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

/** Serves `openapi.json` and `docs` below the prefix, to everyone and without content from other hosts. */
export function addDocs(api: FastifyInstance, prefix: string, document: { info: { title: string } }): void {
  const config = { open: true };
  const json = JSON.stringify(document);
  const scalar = readFileSync(scalarPath);
  const start = startScript(prefix);
  const html = page(prefix, escapeHtml(document.info.title), tagOf(Buffer.concat([scalar, Buffer.from(start)])));
  const send = (reply: FastifyReply, type: string, content: string | Buffer, maxAge: string) =>
    reply.header('Cache-Control', maxAge).type(type).send(content);
  const forever = 'public, max-age=31536000, immutable';

  const others: HTTPMethods[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
  const refuse = async ({ method }: FastifyRequest) => {
    throw new ApiError('method_not_allowed', `${method} is not possible here. Allowed: GET, HEAD.`, {
      headers: { Allow: 'GET, HEAD' },
    });
  };
  for (const url of ['/openapi.json', '/docs']) api.route({ method: others, url, config, handler: refuse });

  api.get('/openapi.json', { config, helmet: { crossOriginResourcePolicy: false } }, async (_request, reply) =>
    send(reply, 'application/json; charset=utf-8', json, 'public, max-age=60'),
  );
  api.get('/docs', { config, helmet: policy }, async (_request, reply) =>
    send(reply, 'text/html; charset=utf-8', html, 'no-cache'),
  );
  api.get('/docs/scalar.js', { config }, async (_request, reply) =>
    send(reply, 'text/javascript; charset=utf-8', scalar, forever),
  );
  api.get('/docs/start.js', { config }, async (_request, reply) =>
    send(reply, 'text/javascript; charset=utf-8', start, forever),
  );
}
