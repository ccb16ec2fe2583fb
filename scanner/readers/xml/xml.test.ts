import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormatError } from '../format-error.ts';
import { chunksOf } from '../testing/formats.fixture.ts';
import { readXml, type XmlElement } from './xml.ts';

async function elements(content: string, chunkSize = 7): Promise<XmlElement[]> {
  const found: XmlElement[] = [];
  for await (const event of readXml(chunksOf(content, chunkSize), new Set(['a/b']))) {
    if (event.kind === 'item') found.push(event.element);
  }
  return found;
}

const refusal = async (content: string): Promise<string> =>
  elements(content).then(
    () => assert.fail('it was read'),
    (error: unknown) => {
      assert.ok(error instanceof FormatError);
      assert.ok(error.place.line);
      return error.message;
    },
  );

test('elements are read completely, without their prefixes', async () => {
  const [first, second] = await elements(
    '<n:a xmlns:n="x"><n:b n:k="1">é <c>2</c>\n<![CDATA[<3>]]></n:b><d><b/></d><b/></n:a>',
    3,
  );
  assert.deepEqual(first, {
    name: 'b',
    attributes: { k: '1' },
    children: [{ name: 'c', attributes: {}, children: [], text: '2' }],
    text: 'é \n<3>',
  });
  assert.deepEqual(second, { name: 'b', attributes: {}, children: [], text: '' });
});

test('entities that a file defines are refused, and nothing outside the file is read', async () => {
  assert.match(
    await refusal('<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;">]><a><b>&y;</b></a>'),
    /entities of its own/,
  );
  assert.match(
    await refusal('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><b>&x;</b></a>'),
    /entities of its own/,
  );
  assert.match(await refusal('<a><b>&unknown;</b></a>'), /not well-formed/);
});

test('a document type without entities is skipped', async () => {
  assert.equal((await elements('<?xml version="1.0"?><!DOCTYPE a SYSTEM "a.dtd"><a><b/></a>')).length, 1);
});

test('a truncated or badly nested file is refused with the line', async () => {
  assert.match(await refusal('<a>\n<b>'), /ends too early: it was cut short\. \(line 2/);
  assert.match(await refusal('<a>\n<b></a>'), /line 2/);
  assert.match(await refusal(''), /ends too early/);
  assert.match(await refusal(`<a><b>${'<c>'.repeat(300)}`), /nested more than 256/);
});
