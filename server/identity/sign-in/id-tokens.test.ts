import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant } from '../../../tests/harness/people.ts';
import { createBrowser } from '../browser.fixture.ts';
import { callbackPath, type SingleSignOnSettings } from '../library/single-sign-on.ts';
import { identityRoutes } from '../profile/routes.ts';

type Claims = Record<string, unknown>;

const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function jwt(claims: Claims, { key = own.privateKey as KeyObject | string, header = {} as Claims } = {}): string {
  const input = `${encode({ alg: 'RS256', kid: 'own', typ: 'JWT', ...header })}.${encode(claims)}`;
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(input).digest()
      : sign('sha256', Buffer.from(input), key);
  return `${input}.${signature.toString('base64url')}`;
}

/**
 * A provider whose ID tokens are forged by each test. Its issuer is its address, unless its document names another
 * one.
 */
let idToken: () => string = () => '';
let documentIssuer: string | null = null;
const server = createServer((request, response) => {
  const send = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  if (request.url === '/jwks')
    send({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256' }] });
  else if (request.url === '/token') send({ access_token: 'x', token_type: 'Bearer', id_token: idToken() });
  else if (request.url === '/userinfo') send(person);
  else
    send({
      issuer: documentIssuer ?? issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
    });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const person = { sub: 'ada', email: 'ada@corp.example', email_verified: true, name: 'Ada' };

const db = await createTestDatabase();
const settings: SingleSignOnSettings = {
  issuer,
  clientId: 'assay',
  clientSecret: 'secret of the client',
  allowedDomains: ['corp.example'],
  role: 'analyst',
};
const newNode = () =>
  createTestNode(db.database, identityRoutes, undefined, {}, undefined, {}, { singleSignOn: settings });
const node = await newNode();
await createTenant(db.database, 'First');
after(async () => {
  await node.close();
  await db.drop();
  server.closeAllConnections();
  server.close();
});

/** Signs in with the token that `forge` makes from valid claims. Returns the address where the browser ends up. */
async function arrive(forge: (claims: Claims) => string): Promise<string> {
  const browser = createBrowser(node.app);
  const { body } = await browser.send('POST', '/auth/sign-in/single-sign-on', {});
  const { searchParams } = new URL(body.url);
  const now = Math.floor(Date.now() / 1_000);
  const claims = { ...person, iss: issuer, aud: 'assay', iat: now, exp: now + 300, nonce: searchParams.get('nonce') };
  idToken = () => forge(claims);
  const back = `${callbackPath}?code=x&state=${encodeURIComponent(searchParams.get('state')!)}`;
  return String((await browser.send('GET', back)).headers.location);
}

const failed = '/sign-in?error=single_sign_on_failed';

test("an ID token signs in only with a signature by one of the provider's algorithms and keys", async () => {
  assert.equal(await arrive((claims) => jwt(claims)), '/');
  const publicKey = own.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const ownKey = foreign.publicKey.export({ format: 'jwk' });
  const forged: Record<string, (claims: Claims) => string> = {
    'of another key': (claims) => jwt(claims, { key: foreign.privateKey }),
    'of a key that it brings along': (claims) => jwt(claims, { key: foreign.privateKey, header: { jwk: ownKey } }),
    'of a key elsewhere': (claims) => jwt(claims, { key: foreign.privateKey, header: { jku: `${issuer}/jwks?x` } }),
    'by no algorithm': (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`,
    'by the public key as a secret': (claims) => jwt(claims, { key: publicKey, header: { alg: 'HS256' } }),
    'by the secret of the client': (claims) => jwt(claims, { key: settings.clientSecret, header: { alg: 'HS256' } }),
    'that is cut off': (claims) => jwt(claims).split('.').slice(0, 2).join('.'),
    'of other claims': (claims) => {
      const [header, , signature] = jwt(claims).split('.');
      return `${header}.${encode({ ...claims, sub: 'eve' })}.${signature}`;
    },
  };
  for (const [what, forge] of Object.entries(forged)) assert.equal(await arrive(forge), failed, what);
});

test('an ID token signs in only for our client, from the configured issuer, while valid, and for its own attempt', async () => {
  const past = Math.floor(Date.now() / 1_000) - 7_200;
  const changes: Record<string, Claims> = {
    'another audience': { aud: 'other' },
    'no audience': { aud: undefined },
    'several audiences without ours': { aud: ['other', 'another'] },
    'another issuer': { iss: 'https://login.example.com' },
    'no issuer': { iss: undefined },
    'an end in the past': { iat: past, exp: past + 300 },
    'another nonce': { nonce: 'x' },
    'no nonce': { nonce: undefined },
    'no subject': { sub: undefined },
  };
  for (const [what, change] of Object.entries(changes)) {
    assert.equal(await arrive((claims) => jwt({ ...claims, ...change })), failed, what);
  }
  assert.equal(await arrive((claims) => jwt(claims)), '/');
});

test('a provider whose document names another issuer signs nobody in', async () => {
  documentIssuer = 'https://login.example.com';
  const other = await newNode();
  const { status } = await createBrowser(other.app).send('POST', '/auth/sign-in/single-sign-on', {});
  assert.equal(status, 503);
  await other.close();
  documentIssuer = null;
});
