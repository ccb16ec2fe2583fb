import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrastWithWhite, readDocument } from './document-schema.ts';
import { accentColor } from './labels.ts';
import { defaultDocument } from './report-document.ts';

test('omitted or null members of a document have their defaults', () => {
  assert.deepEqual(readDocument(), defaultDocument);
  assert.deepEqual(readDocument({ author: null, footer: 'Acme' }), { ...defaultDocument, footer: 'Acme' });
});

test('a label of the Traffic Light Protocol is one of the five; other texts are stored unchanged', () => {
  assert.equal(readDocument({ classification: 'tlp:amber+strict' }).classification, 'TLP:AMBER+STRICT');
  assert.equal(readDocument({ classification: 'TLP: red' }).classification, 'TLP:RED');
  assert.equal(readDocument({ classification: 'For the board only' }).classification, 'For the board only');
  for (const classification of ['TLP:WHITE', 'tlp:purple', 'TLP'])
    assert.throws(() => readDocument({ classification }), /document\.classification: must be one of TLP:CLEAR/);
});

test('an accent color is readable on white', () => {
  assert.equal(contrastWithWhite('#000000'), 21);
  assert.equal(contrastWithWhite('#ffffff'), 1);
  assert.ok(contrastWithWhite(accentColor) > 5.4);
  assert.equal(readDocument({ accent_color: '#005A9C' }).accent_color, '#005A9C');
  assert.throws(() => readDocument({ accent_color: '#ffcc00' }), /must be darker: its contrast on white is 1\.5:1/);
});
