import { languages } from './languages/index.ts';
import type { LanguageName } from './languages/language.ts';

/** The language and grammar of a file. */
export type SourceKind = { language: LanguageName; extension: string };

const byExtension = new Map<string, SourceKind>(
  Object.values(languages).flatMap(({ name, parsers }) =>
    Object.keys(parsers).map((extension) => [extension, { language: name, extension }] as const),
  ),
);

/** Folders of tests and of third-party code. */
const skippedFolders =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|testdata|test-data|e2e|cypress|fixtures?|vendor|vendors|third[_-]?party|node_modules|bower_components|jspm_packages|site-packages|dist-packages|\.venv|venv|virtualenv|coverage|\.git)\//i;

/**
 * What build tools write, by the layout of their ecosystem: a folder that is only named `build`, `target`, `out`, `obj` or
 * `gen` may hold a product's own code. What was generated elsewhere is recognised by its content.
 */
const builtFolders =
  /(?:^|\/)(?:target\/(?:classes|test-classes|generated-[^/]+|debug|release|scala-[\d.]+)|build\/(?:classes|generated|intermediates|libs|tmp)|(?:bin|obj)\/(?:debug|release)|\.next|\.nuxt|generated|__generated__)\/|(?:(?:^|\/)dist|^out)\/.*\.[cm]?jsx?$/i;

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
  if (!kind || path.length > maxPath || skippedFolders.test(path) || builtFolders.test(path)) return null;
  return skippedFiles.some((pattern) => pattern.test(path)) ? null : kind;
}

/** Git pathspecs that select such files. */
export const sourcePathspecs = [...byExtension.keys()].map((extension) => `:(icase)*.${extension}`);
