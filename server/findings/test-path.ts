import { type Severity, severityName, severityRank } from './severity.ts';

const testFolder =
  /^(?:tests?|__tests?__|tst|specs?|testing|testdata|test-data|fixtures?|__fixtures__|__mocks__|mocks|e2e|cypress|examples?|samples?)$/i;
const testFile =
  /(?:[._-](?:tests?|tst|specs?|fixture|mock|e2e|stories)\.[^.]+|^(?:test|conftest)(?:_[^.]*)?\.py|_spec\.rb|(?<=[A-Za-z0-9])(?:Tests?|TestCase|Spec)\.(?:java|kt|cs|swift|scala|groovy|php|vb)|(?<=[a-z0-9])IT\.(?:java|kt))$/;
/** Packages of the JVM are folders below this one: `src/main/java/com/example/test` is a product's own code. */
const productFolder = /(?:^|[/\\])src[/\\]main[/\\]/;

/**
 * Returns whether a path is that of a test or an example: a folder such as `tests`, `__tests__`, `spec`, `fixtures`,
 * `testdata` or `examples`, or a file such as `a.test.ts`, `a_test.go`, `test_a.py` or `ATest.java`.
 */
export function isTestPath(path: string | null): boolean {
  if (path === null) return false;
  const main = productFolder.exec(path);
  const parts = (main ? path.slice(0, main.index) : path).split(/[/\\]/);
  const file = main ? '' : parts.pop()!;
  return testFile.test(file) || parts.some((folder) => testFolder.test(folder));
}

/** Returns the severity of a problem in a file: one step lower in a test or an example. */
export const severityAt = (path: string | null, severity: Severity): Severity =>
  isTestPath(path) ? severityName(Math.max(0, severityRank[severity] - 1)) : severity;
