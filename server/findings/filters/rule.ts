import { anyOf } from '../filter.ts';
import { name, valuesFilter } from './values-filter.ts';

export const rule = valuesFilter({
  item: name,
  description: 'Of any of these rules (ids).',
  label: { en: 'Rule', de: 'Regel' },
  control: { kind: 'choice', names: 'rule' },
  keys: ['rule'],
  inEntries: true,
  index: { name: 'findings_by_rule' },
  facet: { column: 'rule_id' },
  condition: (values, parameters) => anyOf('f.rule_id', values, 'text', parameters),
  samples: [['rule-a'], ['Rule C', 'nothing'], ['-rule-b']],
  matches: (finding, values) => values.includes(finding.rule.id),
});
