/** The fields of a decision's scope that make it narrower. */
type RankedScope = Partial<
  Record<
    'finding' | 'path' | 'package' | 'versions' | 'rule' | 'identifier' | 'data_source' | 'data_source_tag' | 'source',
    unknown
  >
>;

/**
 * Returns the rank of a scope: narrower scopes rank higher, and each further condition counts less than the kind of the
 * scope.
 */
export function rankOf(scope: RankedScope): number {
  const kinds = [
    scope.finding,
    scope.path,
    scope.package && scope.versions,
    scope.package,
    scope.rule ?? scope.identifier,
  ];
  const kind = kinds.length - kinds.findIndex((field) => field !== undefined);
  const narrowing = [scope.data_source, scope.data_source_tag, scope.source];
  return kind * 8 + narrowing.reduce<number>((sum, field, index) => sum + (field ? 4 >> index : 0), 0);
}
