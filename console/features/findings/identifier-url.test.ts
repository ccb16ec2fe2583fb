import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifierUrl } from './identifier-url.ts';

test('identifiers of public lists link to their descriptions, and other texts have no address', () => {
  const addresses = {
    'CVE-2024-12345': 'https://www.cve.org/CVERecord?id=CVE-2024-12345',
    'cwe-079': 'https://cwe.mitre.org/data/definitions/79.html',
    'GHSA-J8XG-fqg3-53r7': 'https://github.com/advisories/GHSA-j8xg-fqg3-53r7',
    'PYSEC-2023-62': 'https://osv.dev/vulnerability/PYSEC-2023-62',
    'CVE-2024': null,
    'CVE-2024-12345"><script>': null,
    'javascript:alert(1)': null,
    'A03:2021': null,
  };
  for (const [identifier, address] of Object.entries(addresses)) assert.equal(identifierUrl(identifier), address);
});
