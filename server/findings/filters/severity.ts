import { anyOf } from '../filter.ts';
import { severities, severityRank } from '../severity.ts';
import { choiceFilter } from './values-filter.ts';

export const severity = choiceFilter({
  values: severities,
  $id: 'SeverityFilter',
  description: 'Any of these severities. A leading `-` excludes one, here and in all lists.',
  label: { en: 'Severity', de: 'Schweregrad' },
  control: { kind: 'choice', values: severities.map((value) => ({ value })), closed: true },
  keys: ['severity', 'sev'],
  inEntries: true,
  isKept: true,
  index: { name: 'findings_by_status_severity' },
  facet: { column: 'severity' },
  condition: (chosen, parameters) => {
    const ranks = chosen.map((one) => severityRank[one]);
    return anyOf('f.severity', ranks, 'smallint', parameters);
  },
  samples: [['critical'], ['high', 'low'], ['-info']],
  matches: (finding, chosen) => chosen.includes(finding.severity),
});
