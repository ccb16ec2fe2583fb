import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreOfVector } from './cvss.ts';

test('vectors of every version give the score that FIRST’s calculators give', () => {
  assert.equal(scoreOfVector('AV:N/AC:L/Au:N/C:C/I:C/A:C'), 10);
  assert.equal(scoreOfVector('CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'), 9.8);
  assert.equal(scoreOfVector('CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N'), 6.1);
  assert.equal(scoreOfVector('AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'), 7.5);
  assert.equal(scoreOfVector('CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'), 9.3);
});

test('an incomplete vector has no score', () => {
  for (const vector of [undefined, '', 'garbage', 'CVSS:3.1/AV:N', '7.5', 'CVSS:9.9/AV:N', 'x'.repeat(1_000)]) {
    assert.equal(scoreOfVector(vector), undefined, vector);
  }
});
