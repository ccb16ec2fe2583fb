import { statusErrorOf } from './errors.ts';

/** Calls an endpoint that the client library does not offer yet. */
export async function callApi<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  const response = await fetch(`/api/v1/${path}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'same-origin',
    signal: signal ?? null,
  });
  const text = await response.text();
  if (!response.ok) throw statusErrorOf(response, text);
  return JSON.parse(text) as T;
}
