import * as cloud from './cloud-samples.fixture.ts';
import * as code from './code-samples.fixture.ts';
import * as network from './network-samples.fixture.ts';
import * as other from './other-samples.fixture.ts';
import * as packages from './package-samples.fixture.ts';
import * as platform from './platform-samples.fixture.ts';

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A file of our own making in each format and form: name of the format, what it holds. */
export const samples: Array<[format: string, content: string]> = (
  [
    ['sarif', code.sarifSample],
    ['cyclonedx', packages.bomSample],
    ['cyclonedx', packages.xmlBomSample],
    ['trivy', packages.trivySample],
    ['trivy', packages.trivyClusterSample],
    ['grype', packages.grypeSample],
    ['gitleaks', code.gitleaksSample],
    ['gitleaks', code.oldGitleaksSample],
    ['trufflehog', code.trufflehogSample],
    ['detect-secrets', platform.detectSecretsSample],
    ['semgrep', code.semgrepSample],
    ['osv-scanner', packages.osvSample],
    ['npm-audit', packages.npmSample],
    ['npm-audit', packages.oldNpmSample],
    ['pip-audit', packages.pipSample],
    ['govulncheck', packages.govulncheckSample],
    ['gosec', code.gosecSample],
    ['bandit', code.banditSample],
    ['checkov', code.checkovSample],
    ['kics', other.kicsSample],
    ['tfsec', other.tfsecSample],
    ['hadolint', other.hadolintSample],
    ['dockle', cloud.dockleSample],
    ['brakeman', other.brakemanSample],
    ['gitlab', other.gitlabSample],
    ['gitlab', other.gitlabDependencySample],
    ['gitlab', other.gitlabSastSample],
    ['github', platform.githubCodeSample],
    ['github', platform.githubDependencySample],
    ['github', platform.githubSecretSample],
    ['sonarqube', platform.sonarqubeSample],
    ['sonarqube', platform.sonarqubeHotspotSample],
    ['checkmarx', platform.checkmarxSample],
    ['veracode', platform.veracodeSample],
    ['snyk', other.snykSample],
    ['snyk', other.snykIacSample],
    ['nuclei', network.nucleiSample],
    ['nmap', network.nmapSample],
    ['zap', network.zapSample],
    ['zap', network.zapJsonSample],
    ['burp', network.burpFile('1')],
    ['acunetix', network.acunetixSample],
    ['openvas', network.openvasSample],
    ['openvas', network.openvasCsvSample],
    ['nessus', network.nessusSample],
    ['nessus', network.nessusCsvSample],
    ['nessus', network.tenableCsvSample],
    ['nikto', network.niktoSample],
    ['nikto', network.niktoJsonSample],
    ['testssl', network.testsslSample],
    ['testssl', network.testsslJsonSample],
    ['ocsf', other.ocsfSample],
    ['ocsf', cloud.prowlerOcsfSample],
    ['prowler', cloud.prowlerSample],
    ['inspector', cloud.inspectorSample],
    ['asff', other.asffSample],
    ['generic', other.genericSample],
    ['generic', other.genericCsvSample],
  ] as Array<[string, unknown]>
).map(([format, value]) => [format, asText(value)]);
