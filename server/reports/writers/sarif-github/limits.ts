/**
 * Limits of GitHub code scanning, from its documentation "SARIF support for code scanning". It rejects files above the
 * first two, and those of more than 10 MB (gzip) or 25,000 results in a run; it ignores anything above the others.
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
 * The thresholds for starting another run or file. GitHub shows no more results per run than this. The margin to the
 * byte limit covers compressed bytes that are not counted yet, and the rest of the file.
 */
export const fileLimits: FileLimits = {
  runs: githubLimits.runsPerFile,
  results: githubLimits.shownResultsPerRun,
  bytes: 8_000_000,
};
export type FileLimits = Record<'runs' | 'results' | 'bytes', number>;
