import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTestNode, type Node } from '../../../tests/harness/identity.ts';
import { createTenant, testPassword } from '../../../tests/harness/people.ts';
import { type Browser, createBrowser } from '../../identity/browser.fixture.ts';
import { identityRoutes } from '../../identity/profile/routes.ts';
import { signInSecret } from '../../identity/services.ts';
import { totpOf } from '../../identity/totp.fixture.ts';
import { newId } from '../../platform/id.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { createKeyring, hashRootOf, UnsealError } from '../../platform/sealed.ts';
import { forgetHashRoot, openKeyring, type SecretKeys } from '../../platform/secrets/open-keyring.ts';
import { openCredential, sealCredential } from '../credential.ts';
import { resealCredentials, rotateSecrets } from './secrets-command.ts';

const db = await createTestDatabase();
const { database } = db;
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
const nodes: Node[] = [];
after(async () => {
  for (const node of nodes) await node.close();
  await admin.end();
  await db.drop();
});

const former = 'the key that was in use before, of many characters';
const present = 'the key that is in use from now on, of many characters';
const before: SecretKeys = { secretKey: former, previousSecretKey: null };
const during: SecretKeys = { secretKey: present, previousSecretKey: former };
const afterwards: SecretKeys = { secretKey: present, previousSecretKey: null };

/** Creates a node in the same way as the server, with these keys. */
async function startNode(keys: SecretKeys): Promise<Node> {
  const { keyring } = await openKeyring(database, keys);
  const { secretKey, previousSecretKey } = keys;
  const node = await createTestNode(
    database,
    identityRoutes,
    undefined,
    {},
    undefined,
    {},
    {
      keyring,
      secret: signInSecret(secretKey),
      formerSecret: previousSecretKey === null ? null : signInSecret(previousSecretKey),
    },
  );
  nodes.push(node);
  return node;
}

/** The same browser at another node. */
function moved(browser: Browser, node: Node): Browser {
  const other = createBrowser(node.app);
  for (const name of ['session_token', 'device']) other.setCookie(`assay.${name}`, browser.cookie(name)!);
  return other;
}

async function withFactor(node: Node) {
  const { email } = await createTenant(database);
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  const { body } = await browser.api('POST', '/profile/two-factor', { password: testPassword });
  const code = totpOf(body.secret);
  assert.equal((await browser.api('POST', '/profile/two-factor/confirm', { code })).status, 204);
  return { email, browser, secret: body.secret as string };
}

async function signInWithCode(node: Node, email: string, code: string): Promise<number> {
  const browser = createBrowser(node.app);
  assert.equal((await browser.signIn(email)).body.status, 'code_required');
  return (await browser.send('POST', '/auth/sign-in/code', { code })).status;
}

const credential = { token: 'a token of the code host' };

async function addCredentials(orgId: string, count: number): Promise<string[]> {
  const { keyring } = await openKeyring(database, before);
  const ids = Array.from({ length: count }, () => newId('ds'));
  for (const id of ids) {
    const sealed = sealCredential(keyring, orgId, id, credential);
    await admin.query(
      `INSERT INTO data_sources (org_id, id, kind, name, config, address, sealed_credential)
       VALUES ($1, $2, 'git_repository', $2, '{}', $2, $3)`,
      [orgId, id, sealed],
    );
  }
  return ids;
}

async function openAll(keys: SecretKeys, orgId: string, ids: string[]): Promise<void> {
  const { keyring } = await openKeyring(database, keys);
  for (const id of ids) {
    const { rows } = await admin.query('SELECT id, sealed_credential FROM data_sources WHERE id = $1', [id]);
    assert.deepEqual(openCredential(keyring, orgId, rows[0]), credential);
  }
}

/** A database that fails after this many statements, as for a killed command. */
function killedAfter(statements: number): Database {
  let left = statements;
  return new Proxy(database, {
    get(target, name) {
      if (name !== 'single') return Reflect.get(target, name);
      return (...args: Parameters<Database['single']>) => {
        if (--left < 0) throw new Error('killed');
        return target.single(...args);
      };
    },
  });
}

test('the keyed hashes in the database equal those that the previous key created', () => {
  const key = Buffer.from(hkdfSync('sha256', former, 'assay', 'keyed hash of org_1', 32));
  assert.equal(key.length, 32);
  const [stored, derived] = [createKeyring(present, [], hashRootOf(former)), createKeyring(former)];
  assert.equal(stored.keyedHash('org_1', 'value'), derived.keyedHash('org_1', 'value'));
  // The key of the previous release, when HKDF derived it in one step.
  assert.equal(derived.keyedHash('org_1', 'value'), '-VPHy2Od3wGqRcete4KJKUQaNeyepI_howjeV6RrwXU');
});

test('with a new key, credentials, second factors, sessions and fingerprints stay valid, and the former key is refused', async () => {
  const { orgId } = await createTenant(database);
  const first = await startNode(before);
  const hash = (await openKeyring(database, before)).keyring.keyedHash(orgId, 'a secret in the code');
  const ids = await addCredentials(orgId, 250);
  const ada = await withFactor(first);
  const lin = await withFactor(first);
  await assert.rejects(openKeyring(database, afterwards), /not the key of this database.*ASSAY_SECRET_KEY_PREVIOUS/s);
  await assert.rejects(rotateSecrets(database, before), /ASSAY_SECRET_KEY_PREVIOUS/);

  const second = await startNode(during);
  await openAll(during, orgId, ids.slice(0, 2));
  const browser = moved(ada.browser, second);
  assert.equal((await browser.api('GET', '/profile')).body.email, ada.email);
  assert.equal(await signInWithCode(second, ada.email, totpOf(ada.secret, 1)), 200);
  const grace = await withFactor(second);
  // A session is renewed once a day; its cookie is then signed with the new key.
  await admin.query(`UPDATE sessions SET expires_at = expires_at - interval '2 days'`);
  assert.equal((await browser.send('GET', '/auth/session')).body.user.email, ada.email);

  const { keyring } = await openKeyring(database, during);
  await assert.rejects(resealCredentials(killedAfter(150), keyring), /killed/);
  const { rows: halfway } = await admin.query('SELECT sealed_credential AS sealed FROM data_sources');
  const done = halfway.filter(({ sealed }) => keyring.isCurrent(sealed)).length;
  assert.ok(done > 100 && done < 250, `${done}`);
  await openAll(during, orgId, ids);

  const rotated = await rotateSecrets(database, during);
  assert.deepEqual(rotated, {
    credentials: { resealed: 250 - done, unreadable: [] },
    // Grace's, set up with both keys, is already sealed with the new one.
    second_factors: { resealed: 2, unreadable: [] },
    fingerprints: { resealed: 1, unreadable: [] },
  });
  const again = await rotateSecrets(database, during);
  assert.deepEqual(
    Object.values(again).map(({ resealed }) => resealed),
    [0, 0, 0],
  );

  const third = await startNode(afterwards);
  await openAll(afterwards, orgId, ids);
  assert.equal((await openKeyring(database, afterwards)).keyring.keyedHash(orgId, 'a secret in the code'), hash);
  // Each code works once, and Ada has used hers; Lin has not signed in with any yet.
  assert.equal(await signInWithCode(third, lin.email, totpOf(lin.secret, 1)), 200);
  assert.equal(await signInWithCode(third, grace.email, totpOf(grace.secret, 1)), 200);
  assert.equal((await moved(browser, third).api('GET', '/profile')).body.email, ada.email);
  assert.equal((await moved(ada.browser, third).api('GET', '/profile')).status, 401, 'signed by the former key');

  await assert.rejects(openKeyring(database, before), /not the key of this database/);
  const { rows } = await admin.query('SELECT id, sealed_credential FROM data_sources WHERE id = $1', [ids[0]]);
  assert.throws(() => openCredential(createKeyring(former), orgId, rows[0]), UnsealError);
});

test('secrets that open with neither key are reported and left, and the rest is resealed', async () => {
  const { orgId } = await createTenant(database);
  const keys: SecretKeys = { secretKey: 'a third key of many characters, and more', previousSecretKey: present };
  const stranger = createKeyring('a key that nobody remembers, of many characters');
  const id = newId('ds');
  const sealed = sealCredential(stranger, orgId, id, credential);
  await admin.query(
    `INSERT INTO data_sources (org_id, id, kind, name, config, address, sealed_credential)
     VALUES ($1, $2, 'git_repository', $2, '{}', $2, $3)`,
    [orgId, id, sealed],
  );
  const { credentials } = await rotateSecrets(database, keys);
  assert.deepEqual(credentials, { resealed: 250, unreadable: [id] });
  const { rows } = await admin.query('SELECT sealed_credential FROM data_sources WHERE id = $1', [id]);
  assert.equal(rows[0].sealed_credential, sealed);
});

test('after the key was lost, the installation starts with another one once the operator confirms the loss', async () => {
  const lost: SecretKeys = { secretKey: 'a key after the loss, of many characters', previousSecretKey: null };
  await assert.rejects(openKeyring(database, lost), /assay secrets forget-key/);
  assert.equal(await forgetHashRoot(database), true);
  const { hashRoot } = await openKeyring(database, lost);
  assert.deepEqual(hashRoot, hashRootOf(lost.secretKey));
});

test('nodes that start at the same time on a new database agree on the key of the fingerprints', async () => {
  await forgetHashRoot(database);
  const opened = await Promise.all(Array.from({ length: 8 }, () => openKeyring(database, during)));
  for (const { hashRoot } of opened) assert.deepEqual(hashRoot, hashRootOf(former));
});
