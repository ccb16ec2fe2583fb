import type { FastifyInstance } from 'fastify';
import { refusedEncoding } from './json-body.ts';

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(;|$)/;

/** Makes the routes of a scope accept bodies of any content type, gzipped or not, as streams. */
export function acceptFiles(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  scope.addHook('onRequest', async ({ headers }) => {
    if (!/^(identity|(x-)?gzip)$/i.test(headers['content-encoding'] ?? 'identity'))
      throw refusedEncoding('compressed with gzip or not at all');
    // The framework would refuse an invalid media type, but these routes accept any.
    const type = headers['content-type'];
    if (type !== undefined && !mediaType.test(type)) headers['content-type'] = 'application/octet-stream';
  });
}
