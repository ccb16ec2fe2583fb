/** An error of the template: where it is (with the line, counted from 1, where Typst names it) and what is wrong. */
export class TemplateError extends Error {
  readonly file: string;
  readonly line: number | null;
  readonly problem: string;

  constructor(file: string, line: number | null, problem: string) {
    super(`The report's template does not compile: ${file}${line === null ? '' : `, line ${line}`}: ${problem}`);
    this.name = 'TemplateError';
    this.file = file;
    this.line = line;
    this.problem = problem;
  }
}
