import { printable } from '../../platform/terminal-text.ts';
import { levels } from './sarif-parts.ts';
import type { ScanReportFormat } from './scan-report.ts';

const commands = { error: 'error', warning: 'warning', note: 'notice' };

const escaped = (text: string) => printable(text).replaceAll('%', '%25');
const escapedProperty = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Writes workflow commands of GitHub Actions, which show each finding at its line in a pull request. */
export const formatGithubAnnotations: ScanReportFormat = ({ findings }) =>
  findings
    .map(({ detection: { title, evidence, remediation, rule, severity, location } }) => {
      const properties = {
        file: location.path,
        line: location.start_line,
        endLine: location.end_line,
        title: rule.name,
      };
      const given = Object.entries(properties).filter(([, value]) => value !== null);
      const text = [evidence === null ? title : `${title}: ${evidence}`, remediation].filter(Boolean).join(' ');
      const list = given.map(([name, value]) => `${name}=${escapedProperty(String(value))}`).join(',');
      return `::${commands[levels[severity].level]} ${list}::${escaped(text)}`;
    })
    .join('\n');
