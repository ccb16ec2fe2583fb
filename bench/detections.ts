import type { Detection } from '../scanner/contract/detection.ts';
import { fingerprint } from '../scanner/contract/fingerprint.ts';
import { severities } from '../scanner/contract/severity.ts';

function detection(number: number): Detection {
  const path = `services/orders/src/module${number % 300}/file${number % 5000}.ts`;
  const line = 1 + (number % 900);
  const rule = `code.injection-${number % 400}`;
  return {
    fingerprint: fingerprint('code', rule, path, String(number)),
    title: `Query injection in module ${number % 300}`,
    description:
      `The module accepts query ${number} from outside and passes it on unchecked, so that an attacker can read or change what ` +
      'belongs to others. It is reached by everyone who can send a request, signed in or not.',
    severity: severities[number % 5]!,
    rule: { id: rule, name: `Query injection ${number % 400}`, url: `https://example.com/rules/${rule}` },
    location: {
      path,
      start_line: line,
      end_line: line,
      start_column: 5,
      end_column: 40,
      commit: null,
      url: null,
      package: null,
    },
    places: [{ path, start_line: line, end_line: line, commit: null }],
    occurrences: 1,
    identifiers: [`CWE-${20 + (number % 400)}`],
    cvss_score: null,
    evidence: `const value = read(input[${number % 97}]);`,
    remediation: 'Check every query where it enters, and refuse what is not expected there.',
    references: [`https://example.com/rules/${rule}`],
  };
}

/**
 * Returns detections as a scanner might report them, each with its own description, the same for the same numbers.
 */
export const detections = (start: number, end: number): Detection[] =>
  Array.from({ length: end - start }, (_, index) => detection(start + index));
