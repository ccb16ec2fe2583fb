import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors.ts';
import { createMemoryRateLimiter } from '../rate-limit/rate-limit.ts';
import { createActor, createLibrary, libraryRoutes } from './library.fixture.ts';

type Options = Parameters<typeof createLibrary>[0];

async function withLibrary(options: Options, run: (get: Get) => Promise<void>) {
  const { app } = await createLibrary(options);
  const get: Get = (token, remoteAddress = '203.0.113.7', url = '/api/v1/books', headers = {}) =>
    app.inject({
      url,
      remoteAddress,
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
    });
  try {
    await run(get);
  } finally {
    await app.close();
  }
}
type ApiResponse = {
  statusCode: number;
  headers: Record<string, unknown>;
  json(): { error: { code: string; message: string } };
};
type Get = (
  token: string | null,
  remoteAddress?: string,
  url?: string,
  headers?: Record<string, string>,
) => Promise<ApiResponse>;

/**
 * The clock advances by 20 ms each time it is read. On a busy machine a test takes a second, in which part of the
 * limit would be refilled.
 */
let nowMs = 0;
const steadyClock = () => (nowMs += 20);

const limited: Options = {
  rateLimiter: createMemoryRateLimiter(steadyClock),
  authenticate: async (request) => ({
    ...createActor(request.headers.authorization!.slice(7)),
    rateLimit: { requestsPerMinute: 10, burstPerMinute: 15 },
  }),
};

test('every response has the limit and its remainder; beyond it there is 429 with Retry-After', async () => {
  await withLibrary(limited, async (get) => {
    const first = await get('a');
    assert.equal(first.headers['ratelimit-policy'], '"default";q=15;w=60');
    assert.equal(first.headers.ratelimit, '"default";r=4;t=6');
    const unknown = await get('a', undefined, '/api/v1/nowhere');
    assert.equal(unknown.statusCode, 404);
    assert.equal(unknown.headers.ratelimit, '"default";r=3;t=12');
    for (let count = 0; count < 3; count += 1) await get('a');
    const refused = await get('a');
    assert.equal(refused.statusCode, 429);
    assert.equal(refused.json().error.code, 'rate_limited');
    assert.equal(refused.headers['retry-after'], '6');
    assert.equal(refused.headers.ratelimit, '"default";r=0;t=30');
    assert.match(refused.json().error.message, /Wait 6 seconds/);
    assert.equal((await get('b')).statusCode, 200, 'another token');
  });
});

test('a caller above the limit learns nothing about paths, permissions or shapes', async () => {
  await withLibrary({ ...limited, rateLimiter: createMemoryRateLimiter(steadyClock) }, async (get) => {
    for (let count = 0; count < 5; count += 1) await get('viewer');
    for (const url of ['/api/v1/nowhere', '/api/v1/books?limit=0', '/api/v1/profile']) {
      assert.equal((await get('viewer', undefined, url)).statusCode, 429);
    }
  });
});

test('the description and its page need no token and count against no limit', async () => {
  await withLibrary({ ...limited, rateLimiter: createMemoryRateLimiter(steadyClock) }, async (get) => {
    for (const url of ['/api/v1/openapi.json', '/api/v1/docs', '/api/v1/docs/', '/api/v1/docs/start.js']) {
      const response = await get(null, undefined, url);
      assert.equal(response.statusCode, 200, url);
      assert.equal(response.headers.ratelimit, undefined);
    }
    for (let count = 0; count < 30; count += 1) await get('a', undefined, '/api/v1/openapi.json');
    assert.equal((await get('a')).statusCode, 200);
  });
});

test('after 20 wrong credentials from an address in a minute further ones are 429, but not those from other addresses', async () => {
  await withLibrary({}, async (get) => {
    for (let count = 0; count < 20; count += 1) assert.equal((await get('wrong')).statusCode, 401);
    const refused = await get('wrong');
    assert.equal(refused.statusCode, 429);
    assert.equal(refused.json().error.code, 'rate_limited');
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/);
    assert.equal((await get('wrong', '203.0.113.8')).statusCode, 401);
    assert.equal((await get('wrong', '2001:db8::1')).statusCode, 401);
  });
});

test('a valid credential works however many wrong ones come from its address', async () => {
  await withLibrary({}, async (get) => {
    const wrong = Array.from({ length: 200 }, () => get('wrong'));
    for (let count = 0; count < 40; count += 1) assert.equal((await get('right')).statusCode, 200);
    assert.equal((await Promise.all(wrong)).filter(({ statusCode }) => statusCode === 401).length, 20);
  });
});

test('an address above its limit has few credentials checked at a time, and each one eventually', async () => {
  let running = 0;
  let most = 0;
  const slow: Options = {
    authenticate: async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      throw new ApiError('unauthenticated', 'Wrong.');
    },
  };
  await withLibrary(slow, async (get) => {
    for (let count = 0; count < 20; count += 1) await get('wrong');
    const responses = await Promise.all(Array.from({ length: 50 }, () => get('wrong')));
    assert.deepEqual(new Set(responses.map(({ statusCode }) => statusCode)), new Set([429]));
    assert.equal(most, 4);
  });
});

test('a wrong metrics token counts as a failed authentication', async () => {
  await withLibrary({ config: { version: '1', baseUrl: '', metricsToken: 'right' } }, async (get) => {
    for (let count = 0; count < 20; count += 1) assert.equal((await get('x', undefined, '/metrics')).statusCode, 403);
    assert.equal((await get('x', undefined, '/metrics')).statusCode, 429);
    assert.equal((await get('wrong')).statusCode, 429);
    assert.equal((await get('right', undefined, '/metrics')).statusCode, 200);
  });
});

test('an IPv6 network counts as one address', async () => {
  await withLibrary({}, async (get) => {
    for (let count = 0; count < 20; count += 1) await get('wrong', `2001:db8:1:2::${count}`);
    assert.equal((await get('wrong', '2001:db8:1:2:3:4:5:6')).statusCode, 429);
    assert.equal((await get('wrong', '2001:db8:1:3::1')).statusCode, 401);
  });
});

test('a request without credentials is not counted as a guess', async () => {
  await withLibrary({}, async (get) => {
    for (let count = 0; count < 50; count += 1) {
      const { statusCode, headers } = await get(null);
      assert.deepEqual([statusCode, headers['ratelimit-policy']], [401, '"authentication";q=40;w=60']);
      assert.match(String(headers.ratelimit), /^"authentication";r=\d+;t=\d+$/);
    }
  });
});

test('an address in a header counts only when it comes from a trusted proxy', async () => {
  const guess = (get: Get, from: string) => get('wrong', '10.0.0.1', undefined, { 'x-forwarded-for': from });
  await withLibrary({}, async (get) => {
    for (let count = 0; count < 20; count += 1) await guess(get, `203.0.113.${count}`);
    assert.equal((await guess(get, '203.0.113.99')).statusCode, 429);
  });
  const config = { version: '1', baseUrl: '', trustedProxies: ['10.0.0.0/8'] };
  await withLibrary({ config }, async (get) => {
    for (let count = 0; count < 20; count += 1) await guess(get, '203.0.113.1');
    assert.equal((await guess(get, '203.0.113.1')).statusCode, 429);
    assert.equal((await guess(get, '203.0.113.2')).statusCode, 401);
  });
});

test('every declared route refuses a request without a token, and one with too little permission', async () => {
  const { app } = await createLibrary();
  for (const { method, path, permission } of libraryRoutes) {
    const url = `/api/v1${path.replaceAll(/\{\w+\}/g, 'x')}`;
    assert.equal((await app.inject({ method, url })).statusCode, 401);
    if (typeof permission === 'string' || permission.role === 'viewer') continue;
    const headers = { authorization: 'Bearer viewer' };
    assert.equal((await app.inject({ method, url, headers })).statusCode, 403);
  }
  await app.close();
});
