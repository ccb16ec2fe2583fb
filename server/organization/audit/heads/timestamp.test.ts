import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTimestampAuthority } from './timestamp.fixture.ts';
import {
  checkTimestampResponse,
  createTimestampRequest,
  readCertificates,
  TimestampRefused,
  verifyTimestamp,
} from './timestamp.ts';

const authority = createTimestampAuthority();
const trusted = readCertificates(authority.ca);
after(() => authority.remove());
const text = 'audit head org_00000000000000000000000000 1:00';

test('an OpenSSL timestamp is accepted for its request, and OpenSSL accepts the stored token', async () => {
  const { request, nonce } = createTimestampRequest(text);
  const response = authority.reply(request);
  await checkTimestampResponse(response, { text, nonce, trusted });
  authority.verify(response, text);
  const time = await verifyTimestamp(response, text, trusted);
  assert.ok(Math.abs(Date.now() - time.getTime()) < 60_000, time.toISOString());
});

test('a timestamp of another text, request or authority is refused', async () => {
  const { request, nonce } = createTimestampRequest(text);
  const response = authority.reply(request);
  const refuses = (reason: RegExp, change: { text?: string; nonce?: Buffer; trusted?: typeof trusted }) =>
    assert.rejects(checkTimestampResponse(response, { text, nonce, trusted, ...change }), (error: Error) => {
      assert.ok(error instanceof TimestampRefused, String(error));
      assert.match(error.message, reason);
      return true;
    });
  await refuses(/of something else/, { text: `${text}0` });
  await refuses(/nonce/, { nonce: createTimestampRequest(text).nonce });
  const stranger = createTimestampAuthority();
  await refuses(/trusted/, { trusted: readCertificates(stranger.ca) });
  await refuses(/trusted/, { trusted: [] });
  stranger.remove();
});

test('changing a byte cannot give a timestamp another time, text or request', async () => {
  const { request, nonce } = createTimestampRequest(text);
  const response = authority.reply(request);
  const time = await verifyTimestamp(response, text, trusted);
  let refused = 0;
  for (let at = 0; at < response.length; at += 13) {
    const changed = Buffer.from(response);
    changed[at]! ^= 0x01;
    try {
      await checkTimestampResponse(changed, { text, nonce, trusted });
      // Unsigned parts, such as a certificate beside the signer's, prove nothing and may be anything.
      assert.deepEqual(await verifyTimestamp(changed, text, trusted), time, `byte ${at}`);
    } catch (error) {
      assert.ok(error instanceof TimestampRefused, `byte ${at}: ${error}`);
      refused += 1;
    }
  }
  assert.ok(refused > response.length / 13 / 2, `${refused} were refused`);
});

test('a certificate that is not exclusively for timestamps is refused, even from the same issuer', async () => {
  const { request, nonce } = createTimestampRequest(text);
  const checkAs = (usage: string) =>
    checkTimestampResponse(authority.replyAs(usage, request), { text, nonce, trusted });
  await checkAs('critical,timeStamping');
  for (const usage of ['critical,serverAuth', 'timeStamping', 'critical,serverAuth,timeStamping']) {
    await assert.rejects(checkAs(usage), /not one for timestamps/, usage);
  }
});

test('refusals of the authority and invalid responses are reported with their reason', async () => {
  const { nonce } = createTimestampRequest(text);
  const check = (response: Buffer) => checkTimestampResponse(response, { text, nonce, trusted });
  await assert.rejects(check(authority.reply(Buffer.from('3003020101', 'hex'))), /The authority refused: status 2/);
  await assert.rejects(check(Buffer.from('<html>')), /not one of RFC 3161/);
  await assert.rejects(check(Buffer.alloc(0)), /not one of RFC 3161/);
});
