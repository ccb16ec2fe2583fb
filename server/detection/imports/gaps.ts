import type { Gaps } from '@assay/scanner/readers/format.ts';
import type { ScannableDataSource } from '../../data-sources/queries.ts';

/**
 * Returns why a file may not close what it misses of a source in a data source, and the files in which it may not. `gaps`: what the
 * file says of itself.
 */
export function gapsOf(
  gaps: Record<string, Gaps>,
  source: string,
  { config }: Pick<ScannableDataSource, 'config'>,
): Gaps {
  const { partial, uncovered } = gaps[source] ?? { partial: [], uncovered: [] };
  // The command line searches the history of one branch.
  const isOneOfMany = source === 'secrets' && (config as { branches?: string }).branches === 'all';
  return { partial: isOneOfMany ? [...partial, 'Only one branch was searched, not all.'] : partial, uncovered };
}

/** Returns the reasons why nothing of a source is closed, as sentences that name it. */
export const reasonsOf = (source: string, { partial }: Gaps): string[] =>
  partial.map((reason) => `${source}: ${reason}`);

/** Returns everything that was not covered of a source, as sentences. */
export function sentencesOn(source: string, gaps: Gaps): string[] {
  const [first, ...others] = gaps.uncovered;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return [
    ...reasonsOf(source, gaps),
    ...(first === undefined
      ? []
      : [`${source}: ${first}${more} could not be checked. Findings there stay as they are.`]),
  ];
}
