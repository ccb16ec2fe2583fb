import type { FileKind } from './rule.ts';

/** Others' code that lies beside one's own is none of a repository's infrastructure. */
const passedOver = /(?:^|\/)(?:node_modules|\.terraform|\.git)\//;

/** What a path may be, by its name. `kubernetes` is sure only by its content; see looksLikeManifest. */
export function fileKindOf(path: string): FileKind | null {
  if (passedOver.test(path)) return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (
    /^(?:dockerfile|containerfile)(?:\.(?!(?:dockerignore|md|txt|j2|tpl|tmpl|template|erb|go|js|ts|py|rb|rs|java|json|ya?ml|golden|vim|nanorc|tm\w+)$)[\w.-]+)?$|\.(?:dockerfile|containerfile)$/i.test(
      name,
    )
  ) {
    return 'dockerfile';
  }
  if (/\.tf$/.test(name)) return 'terraform';
  if (!/\.ya?ml$/i.test(name)) return null;
  if (/(?:^|\/)\.github\/workflows\/[^/]+$/.test(path)) return 'github-actions';
  if (/^(?:.+[.-])?gitlab-ci\.ya?ml$|^\.gitlab-ci\.ya?ml$/.test(name) || /(?:^|\/)\.gitlab\/ci\//.test(path))
    return 'gitlab-ci';
  if (/^(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/i.test(name)) return 'compose';
  return 'kubernetes';
}

/** Text of Go's templates where a manifest has a key or a value. Within a text of several lines it may stand in real manifests too. */
const template =
  /^[ \t]*(?:-[ \t]+)?(?:[\w./-]+:[ \t]+)?["']?\{\{-?[ \t]*(?:[.$]|if|range|with|include|template|toYaml|tpl|end|else|define|quote|default)/m;

/** Whether YAML is manifests of Kubernetes. Templates (Helm's, Jinja's) only become some when they are filled in. */
export const looksLikeManifest = (text: string): boolean =>
  /^[ \t]*(?:-[ \t]+)?["']?apiVersion["']?[ \t]*:/m.test(text) &&
  /^[ \t]*(?:-[ \t]+)?["']?kind["']?[ \t]*:/m.test(text) &&
  !template.test(text) &&
  !text.includes('{%');

/** What git selects the files by, to follow their renames. */
export const infrastructurePathspecs = ['*dockerfile*', '*containerfile*', '*.tf', '*.yml', '*.yaml'].map(
  (pattern) => `:(icase)${pattern}`,
);
