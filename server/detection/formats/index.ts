import type { Format } from './format.ts';
import { acunetix } from './readers/acunetix.ts';
import { asff } from './readers/asff.ts';
import { bandit } from './readers/bandit.ts';
import { brakeman } from './readers/brakeman.ts';
import { burp } from './readers/burp.ts';
import { checkmarx } from './readers/checkmarx.ts';
import { checkov } from './readers/checkov.ts';
import { cyclonedx } from './readers/cyclonedx/cyclonedx.ts';
import { defender } from './readers/defender.ts';
import { detectSecrets } from './readers/detect-secrets.ts';
import { dockle } from './readers/dockle.ts';
import { generic } from './readers/generic.ts';
import { github } from './readers/github.ts';
import { gitlab } from './readers/gitlab.ts';
import { gitleaks } from './readers/gitleaks.ts';
import { gosec } from './readers/gosec.ts';
import { govulncheck } from './readers/govulncheck.ts';
import { grype } from './readers/grype.ts';
import { hadolint } from './readers/hadolint.ts';
import { inspector } from './readers/inspector.ts';
import { kics } from './readers/kics.ts';
import { mobsf } from './readers/mobsf.ts';
import { nessus } from './readers/nessus.ts';
import { nexpose } from './readers/nexpose.ts';
import { nikto } from './readers/nikto.ts';
import { nmap } from './readers/nmap.ts';
import { npmAudit } from './readers/npm-audit.ts';
import { nuclei } from './readers/nuclei.ts';
import { ocsf } from './readers/ocsf.ts';
import { openvas } from './readers/openvas.ts';
import { osvScanner } from './readers/osv-scanner.ts';
import { pipAudit } from './readers/pip-audit.ts';
import { prowler } from './readers/prowler.ts';
import { qualys } from './readers/qualys/qualys.ts';
import { sarif } from './readers/sarif/sarif.ts';
import { scoutsuite } from './readers/scoutsuite.ts';
import { semgrep } from './readers/semgrep.ts';
import { snyk } from './readers/snyk.ts';
import { sonarqube } from './readers/sonarqube.ts';
import { testssl } from './readers/testssl.ts';
import { tfsec } from './readers/tfsec.ts';
import { trivy } from './readers/trivy.ts';
import { trufflehog } from './readers/trufflehog.ts';
import { veracode } from './readers/veracode.ts';
import { wiz } from './readers/wiz.ts';
import { zap } from './readers/zap.ts';

/** The formats that can be imported. A new one is a file in readers/ and its line here. */
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
  generic,
];
