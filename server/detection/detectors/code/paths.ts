import { languages } from './languages/index.ts';
import type { LanguageName } from './languages/language.ts';

/** The language and grammar of a file. */
export type SourceKind = { language: LanguageName; extension: string };

const byExtension = new Map<string, SourceKind>(
  Object.values(languages).flatMap(({ name, parsers }) =>
    Object.keys(parsers).map((extension) => [extension, { language: name, extension }] as const),
  ),
);

/** Folders of tests, third-party code and generated files. */
const skippedFolders =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|testdata|test-data|testing|e2e|cypress|bench(?:marks?)?|fixtures?|mocks?|vendor|vendors|third[_-]?party|node_modules|bower_components|jspm_packages|site-packages|dist-packages|\.venv|venv|virtualenv|dist|build|out|target|bin\/(?:debug|release)|obj|coverage|\.next|\.nuxt|\.git|generated|__generated__|gen)\//i;

/** Names of tests, minified and generated files. */
const skippedFiles = [
  /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/i,
  /(?:_test\.go|_(?:spec|test)\.rb)$/i,
  /[._-](?:test|tests|tst|spec|specs|e2e|stories|mock)\.[cm]?[jt]sx?$/i,
  /(?:Tests?|TestCase|IT|Spec)\.(?:java|cs|php)$/,
  /[.-]min\.[cm]?js$|[.-]bundle\.js$|\.d\.[cm]?ts$/i,
  /(?:\.pb\.go|_pb2(?:_grpc)?\.pyi?|\.pb\.rb|_pb\.js|\.g\.cs|\.g\.i\.cs|\.designer\.cs|\.generated\.\w+|_generated\.\w+|_gen\.go|zz_generated\.[\w.]+)$/i,
];

const maxPath = 4_096;

/**
 * Returns the language and grammar of the file at a repository path; null when it is not source code or not the
 * project's own.
 */
export function sourceKindOf(path: string): SourceKind | null {
  const kind = byExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
  if (!kind || path.length > maxPath || skippedFolders.test(path)) return null;
  return skippedFiles.some((pattern) => pattern.test(path)) ? null : kind;
}

/** Git pathspecs that select such files. */
export const sourcePathspecs = [...byExtension.keys()].map((extension) => `:(icase)*.${extension}`);
