import { isTestPath } from '../../contract/test-path.ts';
import type { Layout, SkipReason } from '../../repository/layout.ts';
import { languages } from './languages/index.ts';
import type { LanguageName } from './languages/language.ts';

/** The language and grammar of a file. `isTest`: no other file is followed into it. */
export type SourceKind = { language: LanguageName; extension: string; isTest?: true };

const byExtension = new Map<string, SourceKind>(
  Object.values(languages).flatMap(({ name, parsers }) =>
    Object.keys(parsers).map((extension) => [extension, { language: name, extension }] as const),
  ),
);

const minified = /[.-](?:min|bundle)\.[cm]?js$/i;
/** Names that only generators use. Other generated files are recognised by their content. */
const generated = /(?:\.pb\.go|_pb2(?:_grpc)?\.py|_pb\.rb|_pb\.js|\.g\.cs|\.g\.i\.cs)$/i;

const tools =
  /(?:^|\/)(?:scripts?|tools?|hack|dev|\.?ci|\.github)\/|\.rake$|(?:^|\/)(?:setup|noxfile|fabfile|gulpfile|Gruntfile|webpack\.config)\.\w+$/;

/** Returns whether a path is that of a developer's tool, which a product does not run. */
export const isToolPath = (path: string): boolean => tools.test(path);

const maxPath = 4_096;

/** Returns the language and grammar of the file at a path; null if it has no code, such as type declarations. */
export function sourceKindOf(path: string): SourceKind | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const extension = name.endsWith('.blade.php') ? 'blade' : name.slice(name.lastIndexOf('.') + 1);
  const kind = name.includes('.') ? byExtension.get(extension) : undefined;
  if (!kind || path.length > maxPath || /\.d\.[cm]?ts$/i.test(path)) return null;
  return isTestPath(path) ? { ...kind, isTest: true } : kind;
}

/** Returns the reason why a source file is skipped by its path, or null. */
export function skipReasonOf(path: string, layout: Layout): SkipReason | null {
  const reason = layout.reasonOf(path);
  if (reason) return reason;
  if (minified.test(path)) return 'minified';
  return generated.test(path) ? 'generated' : null;
}

/** Git pathspecs that select such files. */
export const sourcePathspecs = [...byExtension.keys()].map((extension) => `:(icase)*.${extension}`);
