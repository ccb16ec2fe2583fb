import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenExport } from './exports.ts';
import { contentDisposition } from './filename.ts';

/** The headers of an export, for the API description. */
export const exportHeaders = {
  'Content-Disposition': '`attachment` with the name of the file: in ASCII, and where it differs in UTF-8 (RFC 8187).',
  ETag: 'The version of the file, once it is rendered.',
  'Repr-Digest': 'The SHA-256 of the file as it is sent (RFC 9530), once it is rendered.',
};

/** Whether a client accepts files in their stored encoding, which saves decompressing and recompressing them. */
export const acceptsZstd = (accepted: string | undefined): boolean =>
  /(^|,)\s*zstd\s*(;\s*q=(0\.\d*[1-9]|1)\S*\s*)?(,|$)/i.test(accepted ?? '');

/**
 * Sets the headers of an export and returns its content. A digest and a strong ETag apply to the exact bytes, so a file
 * with them is not compressed again. JSON and CSV are compressed for clients that accept only gzip or Brotli and do not
 * request a digest (`Want-Repr-Digest`); they then have a weak ETag.
 */
export function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  opened: OpenExport,
  packed: boolean,
): Readable {
  const { contentType, filenames, size, sha256, content } = opened;
  reply.header('content-type', contentType);
  reply.header('content-disposition', contentDisposition(filenames));
  reply.header('vary', 'Accept-Encoding');
  if (packed) reply.header('content-encoding', 'zstd');
  else if (size !== null) reply.header('content-length', size);
  if (sha256 !== null) {
    const etag = `"${sha256.toString('base64url')}"`;
    const isCompressed =
      !packed &&
      request.headers['want-repr-digest'] === undefined &&
      /^(?:text\/|application\/json)/.test(contentType) &&
      /\b(?:gzip|br)\b/i.test(String(request.headers['accept-encoding'] ?? ''));
    if (!isCompressed) {
      request.headers['x-no-compression'] = '1';
      reply.header('repr-digest', `sha-256=:${sha256.toString('base64')}:`);
    }
    reply.header('etag', isCompressed ? `W/${etag}` : etag);
  }
  return Readable.from(content, { objectMode: false });
}
