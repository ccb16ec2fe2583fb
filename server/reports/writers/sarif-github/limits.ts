/**
 * Limits of GitHub code scanning, as "SARIF support for code scanning" of its documentation says. It rejects files above
 * the first two, and those of more than 10 MB (gzip) or 25,000 results in a run; it ignores what is above the others.
 */
export const githubLimits = {
  runsPerFile: 20,
  locationsPerResult: 1_000,

  shownResultsPerRun: 5_000,
  shownTagsPerRule: 10,
  ruleNameLength: 255,
  ruleDescriptionLength: 1_024,
} as const;

/**
 * When another run or file begins: GitHub shows no more results of a run than this, and what is not counted yet of the
 * compressed bytes (and the rest of the file) fits between this and the limit.
 */
export const fileLimits: FileLimits = {
  runs: githubLimits.runsPerFile,
  results: githubLimits.shownResultsPerRun,
  bytes: 8_000_000,
};
export type FileLimits = Record<'runs' | 'results' | 'bytes', number>;
