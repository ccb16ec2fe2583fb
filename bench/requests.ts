import { Agent, request } from 'node:http';

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

/** Returns the body of a response. */
export async function getJson(url: string, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${response.status} for ${url}`);
  return response.json();
}
