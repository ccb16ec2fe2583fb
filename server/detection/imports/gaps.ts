import type { Gaps } from '@assay/scanner/readers/format.ts';
import type { ScannableDataSource } from '../../data-sources/queries.ts';

/**
 * Returns the gaps of a file for a source in a data source: reasons why the file closes nothing, and places where it
 * closes nothing. `gaps` are those that the file states itself.
 */
export function gapsOf(
  gaps: Record<string, Gaps>,
  source: string,
  { config }: Pick<ScannableDataSource, 'config'>,
): Gaps {
  const { partial, uncovered } = gaps[source] ?? { partial: [], uncovered: [] };
  // The command line searches the history of a single branch.
  const isOneOfMany = source === 'secrets' && (config as { branches?: string }).branches === 'all';
  return { partial: isOneOfMany ? [...partial, 'Only one branch was searched, not all.'] : partial, uncovered };
}

/** Returns the reasons why the file closes nothing of a source, as sentences that name it. */
export const reasonsOf = (source: string, { partial }: Gaps): string[] =>
  partial.map((reason) => `${source}: ${reason}`);

/** Returns all gaps of a source as sentences. */
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
