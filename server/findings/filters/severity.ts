import { ranksOf, severities } from '@assay/scanner/contract/severity.ts';
import { anyOf } from '../filter.ts';
import { choiceFilter } from './values-filter.ts';

export const severity = choiceFilter({
  values: severities,
  $id: 'SeverityFilter',
  description: 'Any of these severities. A leading `-` excludes one, here and in all lists.',
  label: { en: 'Severity', de: 'Schweregrad' },
  control: { kind: 'choice', values: severities.map((value) => ({ value })), closed: true },
  keys: ['severity', 'sev'],
  isKept: true,
  facet: { column: 'severity' },
  condition: (chosen, parameters) => anyOf('f.severity', ranksOf(chosen), 'smallint', parameters),
  column: (chosen) => ({ number: 'severity', in: ranksOf(chosen) }),
  samples: [['critical'], ['high', 'low'], ['-info']],
  matches: (finding, chosen) => chosen.includes(finding.severity),
});
