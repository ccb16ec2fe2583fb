import assert from 'node:assert/strict';
import { test } from 'node:test';
import { words } from './text.ts';

test('a long word of natural language may be hyphenated; a word of code breaks without a hyphen, which would not be part of it', () => {
  assert.deepEqual(words('hohe Wahrscheinlichkeiten, unbekannt'), [
    'hohe ',
    { word: 'Wahrscheinlichkeiten,' },
    ' unbekannt',
  ]);
  assert.deepEqual(words('AbstractSingletonFactory'), ['AbstractSing', 'letonFactory']);
  assert.deepEqual(words('Wahrscheinlichkeiten', { code: true }), ['Wahrscheinli', 'chkeiten']);
  assert.deepEqual(words('als-code-der-plattform'), ['als-code-', 'der-', 'plattform']);
  assert.deepEqual(words('CVSS-Schweregradbewertung'), [{ word: 'CVSS-Schweregradbewertung' }]);
});

test('a title keeps the words that fit on a line', () => {
  assert.equal(words('Konzernplattform, 2026', { whole: 21 }), 'Konzernplattform, 2026');
  assert.deepEqual(words('Sicherheitsüberprüfungen', { whole: 21 }), [{ word: 'Sicherheitsüberprüfungen' }]);
});
