import type { FastifyRequest } from 'fastify';

/**
 * Returns the name of a sign-in cookie. Over https its prefix makes browsers accept it only from this host, over
 * https and for all paths: no page of a sibling domain can set it.
 */
export const cookieName = (baseUrl: string, name: string): string =>
  `${baseUrl.startsWith('https:') ? '__Host-' : ''}assay.${name}`;

/** Returns the value of a sign-in cookie; undefined without one. */
export function readCookie(request: FastifyRequest, baseUrl: string, name: string): string | undefined {
  const start = `${cookieName(baseUrl, name)}=`;
  const sent = request.headers.cookie?.split(';').find((cookie) => cookie.trim().startsWith(start));
  return sent?.trim().slice(start.length);
}
