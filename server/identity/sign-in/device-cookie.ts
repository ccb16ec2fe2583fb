import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UnsealError } from '../../platform/sealed.ts';
import { cookieName, readCookie } from '../cookie-name.ts';
import type { IdentityServices } from '../services.ts';

/** 400 days is the maximum in browsers. */
const deviceCookie: SealedCookie = { name: 'device', validSeconds: 400 * 86_400, sameSite: 'Strict' };

/** The number of people that a browser remembers, which keeps the cookie small. */
const maxPeople = 8;

/** A random name for each person who has signed in with this browser. Their own limit of guesses counts by it. */
type Devices = { people: [userId: string, device: string][] };

const read = (identity: IdentityServices, request: FastifyRequest): Devices['people'] =>
  readSealedCookie<Devices>(identity, request, deviceCookie)?.people ?? [];

/** Returns the name of this browser for a person who has signed in with it; undefined for anyone else. */
export const findDevice = (identity: IdentityServices, request: FastifyRequest, userId: string): string | undefined =>
  read(identity, request).find(([id]) => id === userId)?.[1];

/** Remembers that a person has signed in with this browser. */
export function rememberDevice(
  identity: IdentityServices,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  userId: string,
): void {
  const known = read(identity, request);
  const device = known.find(([id]) => id === userId)?.[1] ?? randomBytes(16).toString('base64url');
  const others = known.filter(([id]) => id !== userId).slice(1 - maxPeople);
  setSealedCookie(identity, reply, deviceCookie, { people: [...others, [userId, device]] });
}

type SealedCookie = {
  name: string;
  validSeconds: number;
  /** `Lax` for values that must survive the way to another site and back. */
  sameSite: 'Strict' | 'Lax';
};

type Sealing = Pick<IdentityServices, 'keyring' | 'baseUrl'>;

function write(services: Sealing, reply: FastifyReply, cookie: SealedCookie, value: string, maxAge: number): void {
  const secure = services.baseUrl.startsWith('https:') ? '; Secure' : '';
  const attributes = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=${cookie.sameSite}${secure}`;
  reply.header('set-cookie', `${cookieName(services.baseUrl, cookie.name)}=${value}; ${attributes}`);
}

/** Stores a value in the browser, unreadable and unchangeable, for the next step of a sign-in. */
function setSealedCookie(services: Sealing, reply: FastifyReply, cookie: SealedCookie, value: object): void {
  const expires = Date.now() + cookie.validSeconds * 1_000;
  const sealed = services.keyring.seal(JSON.stringify({ ...value, expires }), ['cookie', cookie.name]);
  write(services, reply, cookie, sealed, cookie.validSeconds);
}

/** Returns the value of the cookie; undefined without a valid one. */
function readSealedCookie<Value>(services: Sealing, request: FastifyRequest, cookie: SealedCookie): Value | undefined {
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
