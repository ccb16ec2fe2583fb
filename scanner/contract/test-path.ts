import { type Severity, severityName, severityRank } from './severity.ts';

const kinds =
  'unit|integration|functional|acceptance|system|smoke|regression|load|performance|component|end-?to-?end|e2e|ui|api';
const contents = 'ing|data|utils?|cases?|suites?|fixtures?|resources?|support|helpers?|files?|samples?|kit';
/** `tests`, `unittests`, `integration_tests`, `testdata`, `app-tests` or `Shop.Tests`, in any case. */
const testFolder = new RegExp(
  `^(?:(?:.*[-_.])?(?:${kinds})?[-_.]?tests?|test[-_.]?(?:${contents})|__(?:tests?|mocks?|fixtures?|snapshots?)__|tst|specs?|fixtures?|mocks?|e2e|cypress|playwright)$`,
  'i',
);
/** `androidTest` or `ShopUITests`. */
const testSuffix = /(?<=[a-z0-9]|UI)Tests?$/;
const testFile =
  /(?:[._-](?:tests?|tst|specs?|fixture|mock|e2e|stories)\.[^.]+|^(?:tests?|conftest)(?:_[^.]*)?\.py|^test(?:ing)?\.(?:rb|ya?ml|json|exs|php|env|toml)$|^\.env\.test(?:ing)?$|_spec\.rb|(?<=[A-Za-z0-9])(?:Tests?|TestCase|Spec)\.(?:java|kt|cs|swift|scala|groovy|php|vb)|(?<=[a-z0-9])IT\.(?:java|kt))$/;
/** JVM packages are folders below this one: `src/main/java/com/example/test` is a product's own code. */
const productFolder = /(?:^|[/\\])src[/\\]main[/\\]/;

const exampleFolder = /^(?:examples?|samples?)$/i;
const exampleFile =
  /(?:^|[/\\])(?:[\w-]+-)?(?:docs?|documentation)[/\\]|\.(?:mdx|tmpl)$|[._-](?:example|sample)(?:[._-][^/\\]*)?$/i;

/**
 * The context of a problem: `test` if it is only in tests; `example` if also in documentation, templates or examples.
 */
export const contexts = ['test', 'example'] as const;
export type Context = (typeof contexts)[number];

function foldersOf(path: string): { folders: string[]; file: string } {
  const main = productFolder.exec(path);
  const parts = (main ? path.slice(0, main.index) : path).split(/[/\\]/);
  return { file: main ? '' : parts.pop()!, folders: parts };
}

const isTest = (path: string): boolean => {
  const { folders, file } = foldersOf(path);
  return testFile.test(file) || folders.some((folder) => testFolder.test(folder) || testSuffix.test(folder));
};

/**
 * Returns whether a path is that of a test or an example program: a folder such as `tests`, `unittests`, `__tests__`, `spec`,
 * `fixtures`, `testdata` or `examples`, or a file such as `a.test.ts`, `a_test.go`, `test_a.py` or `ATest.java`.
 */
export const isTestPath = (path: string | null): boolean =>
  path !== null && (isTest(path) || foldersOf(path).folders.some((folder) => exampleFolder.test(folder)));

/** Returns whether a problem is only in tests and example programs: in all its places, if several are known. */
export const isInTests = (path: string | null, places: ReadonlyArray<{ path: string | null }> | null): boolean =>
  isTestPath(path) && (places ?? []).every((place) => isTestPath(place.path));

/** Returns whether a path is that of documentation, a template, or an example of a configuration (`.env.example`). */
export const isExamplePath = (path: string | null): boolean => path !== null && exampleFile.test(path);

/**
 * Returns the context of a problem from its path or, if several places are known, from all of them; null for a
 * product's own code.
 */
export function contextOf(path: string | null, places: ReadonlyArray<{ path: string | null }> | null): Context | null {
  const paths = [path, ...(places ?? []).map((place) => place.path)];
  if (!paths.every((each) => isTestPath(each) || isExamplePath(each))) return null;
  return paths.every((each) => each !== null && isTest(each)) ? 'test' : 'example';
}

/** Returns the severity one step lower. */
export const lowered = (severity: Severity): Severity => severityName(Math.max(0, severityRank[severity] - 1));

/** Returns the severity of a problem in a file: one step lower in a test or an example. */
export const severityAt = (path: string | null, severity: Severity): Severity =>
  isTestPath(path) ? lowered(severity) : severity;
