import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { startApplication } from './harness/application.ts';
import { document, resolved } from './harness/documented.ts';
import type { Sent } from './harness/exchange.ts';
import { type Furnished, furnish } from './harness/furnished.ts';
import { checkProperty } from './harness/properties.ts';
import { callerOf, callRoute, hasId, isForSessions, nameOf, type Route, routes } from './harness/requests.ts';
import { hostileJson, hostileText, likeSchema, nearSchema } from './harness/schema-arbitrary.ts';

const app = await startApplication();
after(() => app.close());

// biome-ignore lint/suspicious/noExplicitAny: parts of the OpenAPI document
type Json = any;

/** The characters that a request line can contain: clients send no others. */
const sendable = (text: string) =>
  encodeURIComponent(text.toWellFormed())
    .slice(0, 6_000)
    .replace(/%[0-9A-F]?$/, '');
const headerText = hostileText.map((text) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 400));

const operationOf = (route: Route): Json => document.paths[route.path][route.method.toLowerCase()];

function idsOf(furnished: Furnished): fc.Arbitrary<string> {
  const ids = Object.values(furnished.ids);
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: hostileText });
}

function pathArbitrary(route: Route, furnished: Furnished): fc.Arbitrary<string> {
  const own = furnished.ids[route.path.slice(0, route.path.indexOf('/{'))];
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.constant(own ?? 'secrets') },
    { weight: 2, arbitrary: idsOf(furnished) },
  );
  return value.map((text) => route.path.replace(/\{\w+\}/g, sendable(text)));
}

function queryArbitrary(route: Route, furnished: Furnished): fc.Arbitrary<string> {
  const parameters: Json[] = (operationOf(route).parameters ?? [])
    .map(resolved)
    .filter((one: Json) => one.in === 'query');
  const known = parameters.map(({ name, schema }) =>
    fc
      .oneof(
        { weight: 4, arbitrary: likeSchema(schema) },
        { weight: 2, arbitrary: hostileText },
        { weight: 1, arbitrary: idsOf(furnished) },
      )
      .map((value) => [name as string, [value].flat().map(String).join(',')] as const),
  );
  const unknown = fc.tuple(hostileText, hostileText);
  if (known.length === 0) {
    const one = unknown.map(([name, value]) => `${sendable(name)}=${sendable(value)}`);
    return fc.oneof({ weight: 8, arbitrary: fc.constant('') }, { weight: 1, arbitrary: one });
  }
  const pair = fc.oneof({ weight: 20, arbitrary: fc.oneof(...known) }, { weight: 1, arbitrary: unknown });
  return fc.array(pair, { maxLength: 3 }).map((pairs) =>
    pairs
      .map(([name, value]) => `${sendable(name)}=${sendable(value)}`)
      .join('&')
      .slice(0, 8_000)
      .replace(/%[0-9A-F]?$/, ''),
  );
}

const rawBody = fc.oneof(
  hostileText,
  hostileJson.map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '{',
    '{"a":}',
    '[1,]',
    '{"a":1}{"b":2}',
    '{"__proto__":{"a":1}}',
    '{"status":"new","status":"x"}',
    '1e400',
    '"\\ud800"',
  ),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
);

function bodyArbitrary(route: Route): fc.Arbitrary<Sent> {
  const content = resolved(operationOf(route).requestBody)?.content?.['application/json'];
  const raw = rawBody.map((text): Sent => ({ raw: text, headers: { 'content-type': 'application/json' } }));
  const none = fc.constant<Sent>({});
  if (route.method === 'GET') return none;
  if (!content) return fc.oneof({ weight: 8, arbitrary: none }, { weight: 1, arbitrary: raw });
  const json = nearSchema(content.schema, content.example).map((value): Sent => ({ json: value }));
  return fc.oneof({ weight: 12, arbitrary: json }, { weight: 2, arbitrary: raw }, { weight: 1, arbitrary: none });
}

const headersArbitrary = fc.oneof(
  { weight: 25, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: headerText.map((text) => ({ 'if-match': text })) },
  { weight: 1, arbitrary: headerText.map((text) => ({ 'if-none-match': text })) },
  { weight: 3, arbitrary: headerText.map((text) => ({ 'idempotency-key': text })) },
  { weight: 1, arbitrary: headerText.map((text) => ({ prefer: text.replaceAll(/\d/g, '') })) },
  { weight: 1, arbitrary: headerText.map((text) => ({ accept: text, 'accept-encoding': text })) },
  { weight: 1, arbitrary: headerText.map((text) => ({ 'content-type': text || 'x' })) },
  { weight: 1, arbitrary: headerText.map((text) => ({ 'x-request-id': text, origin: text })) },
);

/** Text that must never leave the service. */
const leaks =
  /node_modules|\.ts:\d+|\bat \w+ \(|SELECT .* FROM|syntax error at|violates .* constraint|pg_|\/tmp\/|\/work\//;

async function furnishFor(marker: string): Promise<Furnished> {
  const furnished = await furnish(app, marker);
  await app.call(furnished.people.owner.token, 'POST', `/scans/${furnished.ids['/scans']}/cancel`);
  return furnished;
}

/** Routes that only read or create don't affect others, and share an organization. The others each get a new one. */
const shared = await furnishFor('fuzz');
const isHarmless = (route: Route) =>
  route.method === 'GET' || (route.method === 'POST' && !hasId(route) && !isForSessions(route));

describe('every request gets a documented response, and none causes a failure', () => {
  for (const route of routes) {
    test(nameOf(route), async () => {
      const furnished = isHarmless(route) ? shared : await furnishFor(`fuzz${routes.indexOf(route)}`);
      const request = fc.record({
        path: pathArbitrary(route, furnished),
        query: queryArbitrary(route, furnished),
        sent: bodyArbitrary(route),
        headers: headersArbitrary,
      });
      const property = fc.asyncProperty(request, async ({ path, query, sent, headers }) => {
        const target = query === '' ? path : `${path}?${query}`;
        const whole = { ...sent, headers: { ...sent.headers, ...headers } };
        const response = await callRoute(app, route, callerOf(route, furnished), target, whole);
        assert.ok(response.status < 500, `${response.status} ${response.text}`);
        // An empty or doubled path parameter results in another path, with its own responses.
        const isOther = path.split('/').length !== route.path.split('/').length || /\/(\/|$)|\/(\.|%2e)/i.test(path);
        if (!isOther) assert.deepEqual(response.wrong, [], `${response.status} ${response.text.slice(0, 500)}`);
        if (response.status >= 400) {
          assert.ok(response.body.error.message.length > 5);
          assert.ok(response.text.length < 40_000, 'a refusal is short');
          assert.doesNotMatch(response.body.error.code + JSON.stringify(response.headers), leaks);
        }
      });
      await checkProperty(property, { numRuns: 12, limitMs: 60, endOnFailure: true });
    });
  }
});
