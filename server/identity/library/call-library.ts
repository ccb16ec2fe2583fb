import type { FastifyReply, FastifyRequest } from 'fastify';
import { translateDatabaseError } from '../../platform/postgres/database.ts';
import { type Auth, clientAddressHeader, libraryCall } from './auth.ts';
import { acceptFormerCookies } from './former-cookies.ts';
import { isSessionCookie, readSessionCookie, tokenOfCookie } from './session.ts';

/** The response of the sign-in library. `code` and `message` are set for a refusal. */
export type LibraryResponse = {
  ok: boolean;
  status: number;
  code: string;
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: each caller reads what its endpoint returns
  body: any;
  cookies: string[];
  /** The address that it redirects to. */
  location: string | null;
};

/** A failure of the library that is not a refusal. */
export class LibraryFailure extends Error {}

/** The parts of a request that the library needs. */
export type Caller = Pick<FastifyRequest, 'headers' | 'ip'>;

/** Removes the session from a request, where the library would act for its person. */
export function withoutSession(request: FastifyRequest): Caller {
  const session = readSessionCookie(request);
  const cookies = request.headers.cookie?.split(';').filter((cookie) => cookie.trim() !== session);
  return { ip: request.ip, headers: { ...request.headers, cookie: cookies?.join(';') } };
}

function headersOf(auth: Auth, request: Caller): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const item of [value].flat()) if (item !== undefined) headers.append(name, item);
  }
  const cookie = headers.get('cookie');
  if (cookie !== null) headers.set('cookie', acceptFormerCookies(cookie, auth.options.secrets));
  headers.set(clientAddressHeader, request.ip);
  for (const name of ['content-length', 'content-type']) headers.delete(name);
  return headers;
}

function toWebRequest(auth: Auth, request: Caller, path: string, body: object | null): Request {
  const headers = headersOf(auth, request);
  if (body) headers.set('content-type', 'application/json');
  return new Request(new URL(`/auth${path}`, auth.options.baseURL), {
    method: body ? 'POST' : 'GET',
    headers,
    body: body ? JSON.stringify(body) : null,
  });
}

/** Throws `unavailable` (503) when the database is unavailable: the library does not report why it failed. */
async function requireDatabase(auth: Auth): Promise<void> {
  await auth.options.database.query('SELECT 1').catch((error: unknown) => {
    throw translateDatabaseError(error);
  });
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function readResponse(auth: Auth, what: string, response: Response): Promise<LibraryResponse> {
  const parsed = parse(await response.text());
  const { status, ok } = response;
  if (status >= 500) {
    await requireDatabase(auth);
    throw new LibraryFailure(`The sign-in library failed at ${what} with ${status} ${parsed?.code ?? ''}.`);
  }
  const [code, message] = ok ? ['', ''] : [String(parsed?.code ?? ''), String(parsed?.message ?? '')];
  const { headers } = response;
  return {
    ok,
    status,
    code,
    message,
    body: parsed,
    cookies: headers.getSetCookie(),
    location: headers.get('location'),
  };
}

/**
 * Calls an endpoint of the sign-in library with the cookies of a request: POST with a body, GET without one. Throws
 * when the library fails; a refusal is a response with `ok: false`.
 */
export async function callLibrary(
  auth: Auth,
  request: Caller,
  path: string,
  body: object | null = null,
): Promise<LibraryResponse> {
  const call: { failure?: unknown } = {};
  const sent = toWebRequest(auth, request, path, body);
  const response = await libraryCall.run(call, () => auth.handler(sent));
  if (call.failure !== undefined) throw translateDatabaseError(call.failure);
  return readResponse(auth, path, response);
}

/** Starts a session for a person whom we have identified. */
export async function startSession(auth: Auth, request: Caller, userId: string): Promise<LibraryResponse> {
  const wanted = { body: { userId }, headers: headersOf(auth, request), asResponse: true } as const;
  const response = (await auth.api.startSession(wanted as never)) as unknown as Response;
  return readResponse(auth, 'the start of a session', response);
}

/**
 * Starts a session for a person whose password is right. With a second factor there is no session yet, and the
 * response has `twoFactorRedirect`.
 */
export async function startPasswordSession(
  auth: Auth,
  request: Caller,
  { userId, rememberMe }: { userId: string; rememberMe: boolean },
): Promise<LibraryResponse> {
  const wanted = { body: { userId, rememberMe }, headers: headersOf(auth, request), asResponse: true } as const;
  const response = (await auth.api.startPasswordSession(wanted as never)) as unknown as Response;
  return readResponse(auth, 'the start of a session', response);
}

/** Replaces the session of the request with a new one. */
export async function renewSession(auth: Auth, request: Caller): Promise<LibraryResponse> {
  const wanted = { headers: headersOf(auth, request), asResponse: true } as const;
  const response = (await auth.api.renewSession(wanted as never)) as unknown as Response;
  return readResponse(auth, 'the renewal of a session', response);
}

/** Returns the token of the session that the library started. */
export function newSessionToken({ cookies }: LibraryResponse): string {
  const cookie = cookies.find(isSessionCookie);
  if (cookie === undefined) throw new Error('The sign-in library began no session.');
  return tokenOfCookie(cookie.split(';', 1)[0]!);
}

/** Forwards the cookies that the library sets or removes. */
export function passCookies(reply: FastifyReply, { cookies }: LibraryResponse): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}
