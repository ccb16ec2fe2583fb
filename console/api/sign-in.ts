import { statusErrorOf } from './status-error.ts';

/** Calls one of the endpoints below /auth, which serve sign-in and need no organization. */
export async function callAuth<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`/auth/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
    credentials: 'same-origin',
    redirect: 'manual',
  });
  const text = await response.text();
  if (!response.ok) throw statusErrorOf(response, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
