import type { FileKind } from './rule.ts';

/** Names and folders of CloudFormation’s JSON files. Others are recognised by their content; see mayBeTemplate. */
const cloudFormationName =
  /\.(?:template|(?:template|cfn|cf|cloudformation|stack)\.json)$|(?:^|[/_-])(?:cloudformation|cfn)[\w-]*(?:\/[^/]+)*(?:\/[^/]*)?\.json$/i;

/**
 * Returns the kind of a file by its path. `kubernetes` and `cloudformation` are certain only by content; see
 * kindByContent.
 */
export function fileKindOf(path: string): FileKind | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (
    /^(?:dockerfile|containerfile)(?:\.(?!(?:dockerignore|md|txt|j2|tpl|tmpl|template|erb|go|js|ts|py|rb|rs|java|json|ya?ml|golden|vim|nanorc|tm\w+)$)[\w.-]+)?$|\.(?:dockerfile|containerfile)$/i.test(
      name,
    )
  ) {
    return 'dockerfile';
  }
  if (/\.(?:tf|tofu|tfvars)(?:\.json)?$/.test(name)) return 'terraform';
  if (cloudFormationName.test(path)) return 'cloudformation';
  // Named templates of Helm.
  if (/(?:^|\/)templates\/(?:.*\/)?[^/]+\.tpl$/.test(path)) return 'kubernetes';
  if (!/\.ya?ml$/i.test(name)) return null;
  // GitHub runs only workflows in this folder. Composite actions may be anywhere.
  if (/^\.github\/workflows\/[^/]+$/.test(path) || /^action\.ya?ml$/.test(name)) return 'github-actions';
  if (/^(?:.+[.-])?gitlab-ci\.ya?ml$|^\.gitlab-ci\.ya?ml$/.test(name) || /(?:^|\/)\.gitlab\/ci\//.test(path))
    return 'gitlab-ci';
  if (/^(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/i.test(name)) return 'compose';
  return 'kubernetes';
}

/** JSON files that are surely something else. */
const otherJson =
  /(?:^|\/)(?:\.[^/]*|(?:package|npm-shrinkwrap|composer|bower|tsconfig|jsconfig|angular|lerna|nx|turbo|deno|biome|renovate|manifest|swagger|openapi)(?:[.-][^/]*)?)\.json$|\.(?:schema|min|lock|snap|tfstate|i18n)\.json$|(?:^|\/)(?:locales?|i18n|translations?|__snapshots__)\//i;

/** Returns whether a JSON file may be a CloudFormation template. Only its content shows whether it is one. */
export const mayBeTemplate = (path: string): boolean => /\.json$/i.test(path) && !otherJson.test(path);

/**
 * Go template text in place of a key or a value. Real manifests may contain such text too, but only in block scalars.
 */
const template =
  /^[ \t]*(?:-[ \t]+)?(?:[\w./-]+:[ \t]+)?["']?\{\{-?[ \t]*(?:[.$]|if|range|with|include|template|toYaml|tpl|end|else|define|quote|default)/m;

/**
 * Returns whether YAML contains Kubernetes manifests. Templates (Helm's, Jinja's) are not manifests until they are
 * rendered.
 */
export const looksLikeManifest = (text: string): boolean =>
  /^[ \t]*(?:-[ \t]+)?["']?apiVersion["']?[ \t]*:/m.test(text) &&
  /^[ \t]*(?:-[ \t]+)?["']?kind["']?[ \t]*:/m.test(text) &&
  !template.test(text) &&
  !text.includes('{%');

/** Returns whether a YAML or JSON file is a CloudFormation template. */
export const looksLikeCloudFormation = (text: string): boolean =>
  /(?:^|[{,])[ \t]*["']?Resources["']?[ \t]*:/m.test(text) && /["']?Type["']?[ \t]*:[ \t]*["']?AWS::\w/.test(text);

/** Returns the kind of a file, or null if its content matches none. */
export function kindByContent(kind: FileKind, text: string): FileKind | null {
  if (kind !== 'kubernetes' && kind !== 'cloudformation') return kind;
  if (looksLikeCloudFormation(text)) return 'cloudformation';
  return kind === 'kubernetes' && looksLikeManifest(text) ? kind : null;
}

/** Git pathspecs that select the files, for following renames. */
export const infrastructurePathspecs = [
  '*dockerfile*',
  '*containerfile*',
  '*.tf',
  '*.tofu',
  '*.tf.json',
  '*.tofu.json',
  '*.template',
  '*.template.json',
  '*.cfn.json',
  '*cloudformation*.json',
  '*.yml',
  '*.yaml',
].map((pattern) => `:(icase)${pattern}`);
