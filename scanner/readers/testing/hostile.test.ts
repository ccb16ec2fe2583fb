import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readAll } from './formats.fixture.ts';
import { samples } from './samples.fixture.ts';

test('an endless value, element, comment or row is refused before it fills the memory', async () => {
  const large = 'x'.repeat(5 * 1024 * 1024);
  const texts = `"${'x'.repeat(1024 * 1024)}",`.repeat(5);
  const refused: Array<[string, string]> = [
    ['sarif', `{"version":"2.1.0","runs":[{"results":[{"message":{"text":"x"},"more":[${texts}1]}]}]}`],
    ['sarif', `{"version":"2.1.0","runs":[{"results":[{"message":{"text":"${'\\u0041'.repeat(800_000)}"}}]}]}`],
    ['sarif', `{"version":"2.1.0","runs":[{"results":[${'[],'.repeat(10)}${'[{},'.repeat(300)}`],
    ['sarif', `{"version":"2.1.0","runs":[{"results":[{"a":[${'[],'.repeat(500_001)}1]}]}]}`],
    ['nmap', `<nmaprun><!-- ${large} --></nmaprun>`],
    ['nmap', `<nmaprun><host a="${large}"/></nmaprun>`],
    ['nmap', `<nmaprun><host>${'<a/>'.repeat(100_000)}</host></nmaprun>`],
    ['testssl', `"id","fqdn/ip","port","severity","finding"\n"${large}`],
  ];
  for (const [format, content] of refused) {
    await assert.rejects(readAll(content, { format }), { name: 'FormatError' }, `${format}: ${content.slice(0, 60)}`);
  }
});

test('a result with a text of 17 MiB is read with the text truncated', async () => {
  const text = 'x'.repeat(17 * 1024 * 1024);
  const message = `{"message":{"text":"${text}"},"ruleId":"r"},{"message":{"text":"second"},"ruleId":"r"}`;
  const { all } = await readAll(
    `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"T"}},"results":[${message}]}]}`,
    { format: 'sarif', chunkSize: 65_536 },
  );
  assert.deepEqual(
    all.map(({ title }) => title.slice(0, 6)),
    ['xxxxxx', 'second'],
  );
});

test('a large part of a file that no reader needs is skipped', async () => {
  const ignored = JSON.stringify({ text: 'x'.repeat(20 * 1024 * 1024) });
  const { all } = await readAll(
    `{"version":"2.1.0","runs":[{"graphs":[${ignored}],"tool":{"driver":{"name":"T"}},"results":[]}]}`,
  );
  assert.deepEqual(all, []);
});

test('a truncated compressed file is refused in every format', async () => {
  for (const [format, content] of samples) {
    const whole = gzipSync(content);
    await assert.rejects(readAll(whole.subarray(0, whole.length - 12), { format }), /damaged or cut short/, format);
  }
});
