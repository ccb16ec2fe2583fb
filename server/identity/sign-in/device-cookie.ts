import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityServices } from '../services.ts';
import { readSealedCookie, type SealedCookie, setSealedCookie } from './sealed-cookie.ts';

/** 400 days are the most that browsers allow. */
const deviceCookie: SealedCookie = { name: 'device', validSeconds: 400 * 86_400, sameSite: 'Strict' };

/** The people that a browser remembers, so that the cookie stays small. */
const maxPeople = 8;

/** A random name for each person who has signed in with this browser: what their own limit of guesses counts by. */
type Devices = { people: [userId: string, device: string][] };

const read = (identity: IdentityServices, request: FastifyRequest): Devices['people'] =>
  readSealedCookie<Devices>(identity, request, deviceCookie)?.people ?? [];

/** Returns the name of this browser for a person who has signed in with it; undefined for everybody else. */
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
