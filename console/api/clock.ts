import { fetchOrTake } from './early.ts';
import { noteResponse } from './waiting.ts';

/** A smaller difference may be network latency. */
const minDifferenceMs = 5_000;

let differenceMs = 0;

/** The current time by the server's clock, in milliseconds. Compare times from the server with this. */
export const serverNow = (): number => Date.now() + differenceMs;

/** Sends a request and computes from its response the offset of this device's clock from the server's. */
export async function fetchWithClock(url: string, init: RequestInit): Promise<Response> {
  const response = await fetchOrTake(url, init);
  if ((init.method ?? 'GET') === 'GET') noteResponse(url, response);
  const difference = Date.parse(response.headers.get('date') ?? '') - Date.now();
  if (!Number.isNaN(difference)) differenceMs = Math.abs(difference) < minDifferenceMs ? 0 : difference;
  return response;
}
