import type { FastifyReply, FastifyRequest } from 'fastify';
import { UnsealError } from '../../platform/sealed.ts';
import { cookieName, readCookie } from '../cookie-name.ts';
import type { IdentityServices } from '../services.ts';

export type SealedCookie = {
  name: string;
  validSeconds: number;
  /** `Lax` for what must survive the way to another site and back. */
  sameSite: 'Strict' | 'Lax';
};

type Sealing = Pick<IdentityServices, 'keyring' | 'baseUrl'>;

function write(services: Sealing, reply: FastifyReply, cookie: SealedCookie, value: string, maxAge: number): void {
  const secure = services.baseUrl.startsWith('https:') ? '; Secure' : '';
  const attributes = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=${cookie.sameSite}${secure}`;
  reply.header('set-cookie', `${cookieName(services.baseUrl, cookie.name)}=${value}; ${attributes}`);
}

/** Keeps a value in the browser that nobody can read or change, for the next step of a sign-in. */
export function setSealedCookie(services: Sealing, reply: FastifyReply, cookie: SealedCookie, value: object): void {
  const expires = Date.now() + cookie.validSeconds * 1_000;
  const sealed = services.keyring.seal(JSON.stringify({ ...value, expires }), ['cookie', cookie.name]);
  write(services, reply, cookie, sealed, cookie.validSeconds);
}

/** Returns the value of the cookie; undefined without one that is still valid. */
export function readSealedCookie<Value>(
  services: Sealing,
  request: FastifyRequest,
  cookie: SealedCookie,
): Value | undefined {
  const sent = readCookie(request, services.baseUrl, cookie.name);
  if (sent === undefined) return undefined;
  try {
    const value = JSON.parse(services.keyring.open(sent, ['cookie', cookie.name]));
    return value.expires > Date.now() ? value : undefined;
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}
