import { readVersionRange } from '@assay/scanner/advisories/versions/vers.ts';
import { packageOf } from '@assay/scanner/contract/fingerprint.ts';
import { compilePath } from '@assay/scanner/contract/path-glob.ts';

/** The findings that a decision covers: all fields must match, each with any of its values. Spelled as in the API. */
export type Scope = {
  finding?: string[] | undefined;
  rule?: string[] | undefined;
  identifier?: string[] | undefined;
  package?: string[] | undefined;
  versions?: string | undefined;
  path?: string[] | undefined;
  source?: string[] | undefined;
  data_source?: string[] | undefined;
  data_source_tag?: string[] | undefined;
};

/** The fields of which a scope needs at least one, most selective first: findings are looked up by it. */
export const anchors = ['finding', 'package', 'identifier', 'rule'] as const;
type Anchor = (typeof anchors)[number];

/**
 * The facts of a finding that scopes refer to. `names` are identifiers and CVEs in upper case; `packageName` comes from
 * `packageOf`.
 */
export type ScopedFinding = {
  id: string;
  ruleId: string;
  names: string[];
  packageName: string | null;
  versions: string[];
  paths: string[];
  source: string;
  dataSourceId: string;
  tags: string[];
};

/** Returns the name of a scope's package, without its version. */
export const packageOfScope = (purl: string): string => packageOf('', '', purl);

/**
 * Returns the anchor of a scope and its values in the form that findings store. `aliases` has all names of an
 * identifier.
 */
export function anchorOf(scope: Scope, aliases: ReadonlyMap<string, string[]>): { anchor: Anchor; keys: string[] } {
  const anchor = anchors.find((name) => scope[name] !== undefined)!;
  const values = scope[anchor]!;
  if (anchor === 'package') return { anchor, keys: values.map(packageOfScope) };
  if (anchor === 'identifier') return { anchor, keys: namesOf(values, aliases) };
  return { anchor, keys: values };
}

const namesOf = (identifiers: string[], aliases: ReadonlyMap<string, string[]>): string[] =>
  identifiers.flatMap((name) => [name.toUpperCase(), ...(aliases.get(name.toUpperCase()) ?? [])]);

/** Returns a function that tests whether a finding is in a scope. A finding whose version or path is unknown is not. */
export function compileScope(
  scope: Scope,
  aliases: ReadonlyMap<string, string[]>,
): (finding: ScopedFinding) => boolean {
  const range = scope.versions === undefined ? undefined : readVersionRange(scope.versions);
  const globs = scope.path?.map(compilePath);
  const among = (values: string[] | undefined, read: (finding: ScopedFinding) => string[]) => {
    const set = values && new Set(values);
    return (finding: ScopedFinding) => set === undefined || read(finding).some((value) => set.has(value));
  };
  const conditions = [
    among(scope.finding, ({ id }) => [id]),
    among(scope.rule, ({ ruleId }) => [ruleId]),
    among(scope.source, ({ source }) => [source]),
    among(scope.data_source, ({ dataSourceId }) => [dataSourceId]),
    among(scope.data_source_tag, ({ tags }) => tags),
    among(scope.identifier && namesOf(scope.identifier, aliases), ({ names }) => names),
    among(scope.package?.map(packageOfScope), ({ packageName }) => (packageName === null ? [] : [packageName])),
    ({ versions }: ScopedFinding) =>
      range === undefined ||
      (typeof range !== 'string' && versions.length > 0 && versions.every((version) => range.contains(version))),
    ({ paths }: ScopedFinding) =>
      globs === undefined || (paths.length > 0 && paths.every((path) => globs.some((isIn) => isIn(path)))),
  ];
  return (finding) => conditions.every((holds) => holds(finding));
}
