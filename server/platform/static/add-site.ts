import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Allows scripts and styles only from this server's files, and PDF documents from memory. */
const policy = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      connectSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      frameSrc: ['blob:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
};

type File = { type: string; plain: Buffer; br: Buffer | null; gzip: Buffer | null; etag: string };

function readFile(path: string): File {
  const plain = readFileSync(path);
  const packed = (ending: string) => (existsSync(path + ending) ? readFileSync(path + ending) : null);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    plain,
    br: packed('.br'),
    gzip: packed('.gz'),
    etag: `W/"${hash}"`,
  };
}

function send(request: FastifyRequest, reply: FastifyReply, file: File): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  reply.header('Vary', 'Accept-Encoding').header('ETag', file.etag).type(file.type);
  if (request.headers['if-none-match'] === file.etag) return reply.status(304).send();
  if (file.br && /\bbr\b/.test(accepted)) return reply.header('Content-Encoding', 'br').send(file.br);
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('Content-Encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}

/** Returns the pages of a site that have a separate file, by path. */
function readPages(directory: string): Map<string, File> {
  const path = join(directory, 'pages.json');
  if (!existsSync(path)) return new Map();
  const names = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>);
  return new Map(names.map(([page, name]) => [page, readFile(join(directory, 'pages', name))]));
}

/** Returns the path of a resource's page: `/findings/$id`. */
const parentPath = (path: string) => path.replace(/[^/]+$/, '$id');

const notFound = () => new ApiError('not_found', 'There is nothing at this path.');

/**
 * Serves the site that was built into `directory`. Its page is served at every path that a browser opens and no other
 * route serves; its files, whose names change with their content, are below /assets. Paths in pages.json get their
 * own page, which lists the scripts that the browser should load at once. About 2 MB are kept in memory. Returns
 * whether there is a site.
 */
export function addSite(app: FastifyInstance, directory: string): boolean {
  const indexPath = join(directory, 'index.html');
  if (!existsSync(indexPath)) return false;
  const index = readFile(indexPath);
  const pages = readPages(directory);
  const assets = join(directory, 'assets');
  const files = new Map(
    readdirSync(assets)
      .filter((name) => !/\.(br|gz)$/.test(name))
      .map((name) => [name, readFile(join(assets, name))]),
  );
  // The files are stored compressed, so the framework need not compress them.
  app.get<{ Params: { file: string } }>('/assets/:file', { compress: false }, async (request, reply) => {
    const file = files.get(request.params.file);
    if (!file) throw notFound();
    reply.header('Cache-Control', 'public, max-age=31536000, immutable');
    return send(request, reply, file);
  });
  app.get('/*', { helmet: policy, compress: false }, async (request, reply) => {
    if (!String(request.headers.accept ?? '').includes('text/html')) throw notFound();
    reply.header('Cache-Control', 'no-cache');
    const path = request.url.split('?', 1)[0]!;
    return send(request, reply, pages.get(path) ?? pages.get(parentPath(path)) ?? index);
  });
  return true;
}
