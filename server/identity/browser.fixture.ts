import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { testBaseUrl, testPassword } from '../../tests/harness/people.ts';

let addresses = 0;
const nextAddress = () =>
  `10.${2 + Math.floor(++addresses / 60_000)}.${Math.floor(addresses / 250) % 250}.${addresses % 250}`;

type Sent = { headers?: Record<string, string>; newAddress?: boolean };

/** A browser on one of our pages, with its own address: it stores cookies and sends them back. */
export function createBrowser(app: FastifyInstance, origin = testBaseUrl, address = nextAddress()) {
  const jar = new Map<string, string>();

  async function send(method: NonNullable<InjectOptions['method']>, url: string, json?: object, sent: Sent = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await app.inject({
      method,
      url,
      remoteAddress: sent.newAddress ? nextAddress() : address,
      headers: {
        origin,
        host: new URL(origin).host,
        'user-agent': 'Test browser',
        ...(cookie && { cookie }),
        ...sent.headers,
      },
      ...(json && { payload: json }),
    });
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/max-age=0\b/i.test(line) || value === '') jar.delete(name!);
      else jar.set(name!, value!);
    }
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      // biome-ignore lint/suspicious/noExplicitAny: each test asserts what it reads of a response
      body: (isJson && response.body !== '' ? response.json() : null) as any,
    };
  }

  return {
    send,
    /** Calls the API. Every POST has an Idempotency-Key, like those of the console. */
    api: (method: NonNullable<InjectOptions['method']>, path: string, json?: object) =>
      send(method, `/api/v1${path}`, json, method === 'POST' ? { headers: { 'idempotency-key': randomUUID() } } : {}),
    async signIn(email: string, password = testPassword) {
      const response = await send('POST', '/auth/sign-in/email', { email, password });
      assert.equal(response.status, 200, response.text);
      return response;
    },
    /** Returns the value of one of our cookies. */
    cookie: (name: string) => [...jar].find(([key]) => key.endsWith(`assay.${name}`))?.[1],
    setCookie: (name: string, value: string) => void jar.set(name, value),
  };
}

export type Browser = ReturnType<typeof createBrowser>;
