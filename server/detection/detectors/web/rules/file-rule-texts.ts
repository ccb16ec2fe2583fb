import type { Severity } from '../../../../findings/severity.ts';
import type { WebRule } from '../rule.ts';

/** The texts that the rules for files share. */
export type Told = Omit<WebRule, 'risk'>;

const references = [
  'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
];
const remediation =
  'Remove the file from what the web server serves, and block such names there (files that begin with a dot, backups, status pages). Treat every credential in it as compromised and change it.';

export const unlisted = (id: string, title: string, severity: Severity, cwe: string[]): Told => ({
  id: `web-exposed-${id}`,
  title,
  severity,
  cwe,
  references,
  remediation,
});

/** Builds the rule for the metadata directory of a version control system. */
export const version = (id: string, name: string, severity: Severity): WebRule => ({
  ...unlisted(id, `A ${name} repository can be read`, severity, ['CWE-527', 'CWE-538']),
  risk: `The site’s code and history can be reconstructed from the .${id} directory, with every credential that was ever in it.`,
});
