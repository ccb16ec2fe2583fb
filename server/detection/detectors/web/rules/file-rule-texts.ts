import type { Severity } from '../../../../findings/severity.ts';
import type { WebRule } from '../rule.ts';

/** What the rules for files share. */
export type Told = Omit<WebRule, 'risk'>;

const references = [
  'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
];
const remediation =
  'Take the file out of what the web server serves and refuse its name there (files that begin with a dot, backups, status pages). Change every credential that it holds: it must be taken for known.';

export const unlisted = (id: string, title: string, severity: Severity, cwe: string[]): Told => ({
  ...{ id: `web-exposed-${id}`, title, severity, cwe, references, remediation },
});

/** A directory in which a version control system keeps what it knows. */
export const version = (id: string, name: string, severity: Severity): WebRule => ({
  ...unlisted(id, `A ${name} repository can be read`, severity, ['CWE-527', 'CWE-538']),
  risk: `From the .${id} directory the site’s code and its history can be put together again, with every credential that was ever in it.`,
});
