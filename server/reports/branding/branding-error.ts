/** An error in the operator's folder. Its message names the file and says what to change. */
export class BrandingError extends Error {
  constructor(file: string, problem: string) {
    super(`The folder of ASSAY_REPORT_BRANDING has an error: ${file} ${problem}`);
    this.name = 'BrandingError';
  }
}
