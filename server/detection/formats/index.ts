import { bandit } from './bandit.ts';
import { checkov } from './checkov.ts';
import { cyclonedx } from './cyclonedx.ts';
import type { Format } from './format.ts';
import { gitleaks } from './gitleaks.ts';
import { gosec } from './gosec.ts';
import { govulncheck } from './govulncheck.ts';
import { grype } from './grype.ts';
import { npmAudit } from './npm-audit.ts';
import { osvScanner } from './osv-scanner.ts';
import { pipAudit } from './pip-audit.ts';
import { sarif } from './sarif.ts';
import { semgrep } from './semgrep.ts';
import { trivy } from './trivy.ts';
import { trufflehog } from './trufflehog.ts';

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
];
