import assert from 'node:assert/strict';
import test from 'node:test';
import { checkPassword, generatePassword, hashPassword, verifyPassword } from './password.ts';

test('a password is stored as argon2id with the parameters that OWASP recommends', async () => {
  const hashed = await hashPassword('correct horse battery');
  assert.match(hashed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.ok(await verifyPassword(hashed, 'correct horse battery'));
  assert.ok(!(await verifyPassword(hashed, 'correct horse batterY')));
  assert.notEqual(await hashPassword('correct horse battery'), hashed);
});

test('the same characters typed on another system are the same password', async () => {
  assert.ok(await verifyPassword(await hashPassword('Zu\u0308rich-2026'), 'Z\u00fcrich-2026'));
});

test('an unreadable hash matches no password', async () => {
  for (const broken of ['', 'plain', '$argon2id$v=19$m=1']) assert.equal(await verifyPassword(broken, broken), false);
});

test("a password that is too short or too long is refused with the field's name", () => {
  checkPassword('x'.repeat(8));
  assert.throws(
    () => checkPassword('seven77', { field: 'new_password' }),
    /^ApiError: new_password: must have 8 to 128 characters/,
  );
  assert.throws(() => checkPassword('x'.repeat(129)), /8 to 128/);
});

test('a generated password is accepted', () => checkPassword(generatePassword()));
