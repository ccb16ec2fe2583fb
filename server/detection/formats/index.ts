import { asff } from './asff.ts';
import { bandit } from './bandit.ts';
import { brakeman } from './brakeman.ts';
import { burp } from './burp.ts';
import { checkov } from './checkov.ts';
import { cyclonedx } from './cyclonedx.ts';
import type { Format } from './format.ts';
import { generic } from './generic.ts';
import { gitlab } from './gitlab.ts';
import { gitleaks } from './gitleaks.ts';
import { gosec } from './gosec.ts';
import { govulncheck } from './govulncheck.ts';
import { grype } from './grype.ts';
import { hadolint } from './hadolint.ts';
import { kics } from './kics.ts';
import { nikto } from './nikto.ts';
import { nmap } from './nmap.ts';
import { npmAudit } from './npm-audit.ts';
import { nuclei } from './nuclei.ts';
import { ocsf } from './ocsf.ts';
import { openvas } from './openvas.ts';
import { osvScanner } from './osv-scanner.ts';
import { pipAudit } from './pip-audit.ts';
import { sarif } from './sarif.ts';
import { semgrep } from './semgrep.ts';
import { snyk } from './snyk.ts';
import { testssl } from './testssl.ts';
import { tfsec } from './tfsec.ts';
import { trivy } from './trivy.ts';
import { trufflehog } from './trufflehog.ts';
import { zap } from './zap.ts';

/** The result files that can be imported: this table is the list. A new one is a file beside these, and its line here. */
export const formats: Format[] = [
  sarif,
  cyclonedx,
  trivy,
  grype,
  gitleaks,
  trufflehog,
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
  brakeman,
  gitlab,
  snyk,
  nuclei,
  nmap,
  zap,
  burp,
  openvas,
  nikto,
  testssl,
  ocsf,
  asff,
  generic,
];
