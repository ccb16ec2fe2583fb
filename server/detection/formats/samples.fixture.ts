import * as code from './code-samples.fixture.ts';
import * as packages from './package-samples.fixture.ts';

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A file of our own making in each format and form: name of the format, what it holds. */
export const samples: Array<[format: string, content: string]> = (
  [
    ['sarif', code.sarifSample],
    ['cyclonedx', packages.bomSample],
    ['cyclonedx', packages.xmlBomSample],
    ['trivy', packages.trivySample],
    ['grype', packages.grypeSample],
    ['gitleaks', code.gitleaksSample],
    ['gitleaks', code.oldGitleaksSample],
    ['trufflehog', code.trufflehogSample],
    ['semgrep', code.semgrepSample],
    ['osv-scanner', packages.osvSample],
    ['npm-audit', packages.npmSample],
    ['npm-audit', packages.oldNpmSample],
    ['pip-audit', packages.pipSample],
    ['govulncheck', packages.govulncheckSample],
    ['gosec', code.gosecSample],
    ['bandit', code.banditSample],
    ['checkov', code.checkovSample],
  ] as Array<[string, unknown]>
).map(([format, value]) => [format, asText(value)]);
