import { fetchOrTake } from './early.ts';
import { statusErrorOf } from './errors.ts';

/**
 * Calls an endpoint that is only for people who are signed in or signing in, which the client library does not cover.
 * Throws the library's errors. Returns undefined for a response without a body.
 */
export async function callServer<T = void>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetchOrTake(path, {
    method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
    credentials: 'same-origin',
    redirect: 'manual',
  });
  const text = await response.text();
  if (!response.ok) throw statusErrorOf(response, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Calls a sign-in endpoint, below /auth. */
export const callAuth = <T = void>(path: string, body: object = {}): Promise<T> =>
  callServer<T>('POST', `/auth/${path}`, body);

/** Calls an endpoint below /api/v1/profile. */
export const callProfile = <T = void>(method: string, path: string, body?: object): Promise<T> =>
  callServer<T>(method, `/api/v1/profile${path}`, body);
