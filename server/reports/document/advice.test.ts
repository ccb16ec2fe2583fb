import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '../../findings/lifecycle.ts';
import { plainText } from '../plain-text.ts';
import { reportHead } from '../report.fixture.ts';
import { reportFinding } from '../report-finding.fixture.ts';
import { adviceFor } from './advice.ts';
import { lettersOf } from './blocks.ts';
import { groupFindings } from './groups.ts';

const django = (index: number, status: Status, fixed: string | null) => {
  const finding = reportFinding(index, { status, remediation: null, identifiers: [] });
  const found = { ecosystem: 'PyPI', name: 'django', version: '3.2.0', fixed_version: fixed, purl: null };
  return { ...finding, location: { ...finding.location, package: found } };
};

function adviceOn(...findings: ReturnType<typeof django>[]): string {
  const [group] = groupFindings(findings);
  return plainText(lettersOf(adviceFor(group!, reportHead(findings), 200)), { line: true });
}

test('a card recommends the version that its open findings need, like the list of actions', () => {
  const open = [django(1, 'new', '3.2.23'), django(2, 'triaged', '3.2.20')];
  assert.equal(
    adviceOn(...open, django(3, 'accepted_risk', '3.2.24'), django(4, 'resolved', null)),
    'Upgrade django to 3.2.23.',
  );
  assert.equal(
    adviceOn(...open, django(3, 'new', null)),
    'Upgrade django to 3.2.23. For 1 finding, no fixed version is known.',
  );
  assert.equal(
    adviceOn(django(1, 'resolved', '3.2.23'), django(2, 'accepted_risk', '3.2.24')),
    'Upgrade django to 3.2.24.',
  );
});
