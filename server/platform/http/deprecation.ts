import type { FastifyReply } from 'fastify';
import type { Deprecation } from './route.ts';

/**
 * Sets the headers of a deprecated operation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a link to its
 * replacement.
 */
function deprecationHeaders(deprecation: Deprecation): Record<string, string> {
  const since = new Date(`${deprecation.since}T00:00:00Z`);
  const headers: Record<string, string> = { Deprecation: `@${since.getTime() / 1000}` };
  if (deprecation.sunset) headers.Sunset = new Date(`${deprecation.sunset}T00:00:00Z`).toUTCString();
  if (deprecation.link) headers.Link = `<${deprecation.link}>; rel="deprecation"; type="text/html"`;
  return headers;
}

export function writeDeprecation(reply: FastifyReply, deprecation: Deprecation | undefined): void {
  if (deprecation) reply.headers(deprecationHeaders(deprecation));
}
