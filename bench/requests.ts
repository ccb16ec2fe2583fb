import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Keeps one connection open for all requests. */
export const keptOpen = new Agent({ keepAlive: true, maxSockets: 1 });

/** Returns the milliseconds until the response is complete, for a token or with these headers. */
export function timeRequest(url: string, credentials: string | Record<string, string>): Promise<number> {
  const headers = typeof credentials === 'string' ? { authorization: `Bearer ${credentials}` } : credentials;
  const began = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { agent: keptOpen, headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - began);
        else reject(new Error(`${response.statusCode} for ${url}`));
      });
    })
      .on('error', reject)
      .end();
  });
}

/** Returns the body of a response, for which the service may have to load an organization's columns first. */
export async function getJson(url: string, headers: Record<string, string>): Promise<unknown> {
  let response = await fetch(url, { headers });
  for (let attempt = 0; response.status === 503 && attempt < 60; attempt++) {
    await delay(Number(response.headers.get('retry-after') ?? 1) * 1000);
    response = await fetch(url, { headers });
  }
  if (!response.ok) throw new Error(`${response.status} for ${url}`);
  return response.json();
}
