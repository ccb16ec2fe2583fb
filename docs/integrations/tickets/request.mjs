import { setTimeout as pause } from 'node:timers/promises';

/**
 * Sends a request to a tracker and returns its response with the JSON in `data`. It is repeated only if the tracker
 * limits the rate, because the request then had no effect. Any other failure ends the program; the next run starts from
 * the tracker's state.
 */
export async function request(method, url, headers, json) {
  for (;;) {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(json && { 'Content-Type': 'application/json' }) },
      ...(json && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    const seconds = Number(response.headers.get('retry-after'));
    if ([403, 429].includes(response.status) && seconds > 0) await pause(seconds * 1000);
    else if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text.slice(0, 500)}`);
    else return { headers: response.headers, data: text ? JSON.parse(text) : null };
  }
}
