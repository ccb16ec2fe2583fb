import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '../detectors/secrets/sample.ts';
import { webResult } from './web-result.ts';

test('passwords that a target accepted are redacted in every text, and text that only resembles one stays', () => {
  const key = `${'AKIA'}${sample('A-Z2-7', 16, 'web')}`;
  const shown = (text: string) => {
    const { title, description, evidence } = webResult({
      source: 'tool',
      target: [],
      title: text,
      description: text,
      evidence: text,
      severity: 'high',
      rule: { id: 'r' },
    });
    assert.deepEqual([description, evidence], [title, title]);
    return title;
  };
  assert.equal(
    shown('https://192.0.2.1:9200/:admin:admin:HTTP/1.1 200 OK'),
    'https://192.0.2.1:9200/:admin:…(redacted):HTTP/1.1 200 OK',
  );
  assert.equal(shown('It loads http://admin:admin@192.0.2.1/x'), 'It loads http://admin:…(redacted)@192.0.2.1/x');
  assert.equal(shown('Valid: admin:admin@'), 'Valid: admin:…(redacted)@');
  assert.doesNotMatch(shown(`The page holds ${key}.`), new RegExp(key));
  for (const text of [
    'See https://example.com:8443/a:b/c@d and mailto:someone@example.com',
    'Server: nginx/1.18.0, at 12:30:15',
    'git@github.com:acme/app.git',
  ])
    assert.equal(shown(text), text);
});
