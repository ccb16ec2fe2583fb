import type { Format } from './format.ts';
import { acunetix } from './formats/acunetix.ts';
import { asff } from './formats/asff.ts';
import { assay } from './formats/assay.ts';
import { bandit } from './formats/bandit.ts';
import { brakeman } from './formats/brakeman.ts';
import { burp } from './formats/burp.ts';
import { cargoAudit } from './formats/cargo-audit.ts';
import { checkmarx } from './formats/checkmarx.ts';
import { checkov } from './formats/checkov.ts';
import { cyclonedx } from './formats/cyclonedx/cyclonedx.ts';
import { defender } from './formats/defender.ts';
import { detectSecrets } from './formats/detect-secrets.ts';
import { dockle } from './formats/dockle.ts';
import { generic } from './formats/generic.ts';
import { github } from './formats/github.ts';
import { gitlab } from './formats/gitlab.ts';
import { gitleaks } from './formats/gitleaks.ts';
import { gosec } from './formats/gosec.ts';
import { govulncheck } from './formats/govulncheck.ts';
import { grype } from './formats/grype.ts';
import { hadolint } from './formats/hadolint.ts';
import { inspector } from './formats/inspector.ts';
import { kics } from './formats/kics.ts';
import { mobsf } from './formats/mobsf.ts';
import { nessus } from './formats/nessus.ts';
import { nexpose } from './formats/nexpose.ts';
import { nikto } from './formats/nikto.ts';
import { nmap } from './formats/nmap.ts';
import { npmAudit } from './formats/npm-audit.ts';
import { nuclei } from './formats/nuclei.ts';
import { ocsf } from './formats/ocsf.ts';
import { openvas } from './formats/openvas.ts';
import { osvScanner } from './formats/osv-scanner.ts';
import { pipAudit } from './formats/pip-audit.ts';
import { prowler } from './formats/prowler.ts';
import { qualys } from './formats/qualys/qualys.ts';
import { sarif } from './formats/sarif/sarif.ts';
import { scoutsuite } from './formats/scoutsuite.ts';
import { semgrep } from './formats/semgrep.ts';
import { snyk } from './formats/snyk.ts';
import { sonarqube } from './formats/sonarqube.ts';
import { testssl } from './formats/testssl.ts';
import { tfsec } from './formats/tfsec.ts';
import { trivy } from './formats/trivy.ts';
import { trufflehog } from './formats/trufflehog.ts';
import { veracode } from './formats/veracode.ts';
import { wiz } from './formats/wiz.ts';
import { zap } from './formats/zap.ts';

/** The formats that can be imported. A new format is a file in readers/formats/ and a line here. */
export const formats: Format[] = [
  sarif,
  cyclonedx,
  trivy,
  grype,
  gitleaks,
  trufflehog,
  detectSecrets,
  semgrep,
  osvScanner,
  npmAudit,
  pipAudit,
  cargoAudit,
  govulncheck,
  gosec,
  bandit,
  checkov,
  kics,
  tfsec,
  hadolint,
  dockle,
  brakeman,
  mobsf,
  gitlab,
  github,
  sonarqube,
  checkmarx,
  veracode,
  snyk,
  nuclei,
  nmap,
  zap,
  burp,
  acunetix,
  openvas,
  nessus,
  qualys,
  nexpose,
  nikto,
  testssl,
  ocsf,
  asff,
  inspector,
  prowler,
  scoutsuite,
  defender,
  wiz,
  assay,
  generic,
];
