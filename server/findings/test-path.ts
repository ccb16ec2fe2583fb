const testFolder =
  /^(?:tests?|__tests?__|specs?|testing|testdata|test-data|fixtures?|__fixtures__|__mocks__|mocks|e2e)$/i;
const testFile =
  /(?:[._-](?:tests?|specs?|fixture|mock|e2e)\.[^.]+|^(?:test|conftest)(?:_[^.]*)?\.py|_spec\.rb|(?<=[A-Za-z0-9])(?:Tests?|TestCase|Spec)\.(?:java|kt|cs|swift|scala|groovy|php|vb))$/;

/**
 * Returns whether a path is that of test code: a folder such as `tests`, `__tests__`, `spec`, `fixtures` or `testdata`, or
 * a file such as `a.test.ts`, `a_test.go`, `test_a.py` or `ATest.java`.
 */
export function isTestPath(path: string | null): boolean {
  if (path === null) return false;
  const parts = path.split(/[/\\]/);
  const file = parts.pop()!;
  return testFile.test(file) || parts.some((folder) => testFolder.test(folder));
}
