/**
 * An error in the operator's branding folder. Its message names the file and the change to make. People who export a
 * report see it, so it contains no server paths.
 */
export class BrandingError extends Error {
  constructor(file: string, problem: string) {
    super(
      `The folder "branding" of the data directory has an error: ${file} ${problem.replace(/\.$/, '')}. The operator of this installation can correct it; then export again.`,
    );
    this.name = 'BrandingError';
  }
}
