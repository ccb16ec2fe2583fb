import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Returns the milliseconds until the response is complete. */
export function timeRequest(url: string, token: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
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
