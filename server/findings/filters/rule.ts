import { anyOf } from '../filter.ts';
import { name, valuesFilter } from './values-filter.ts';

export const rule = valuesFilter({
  item: name,
  description: 'Findings of any of these rules (ids).',
  label: { en: 'Rule', de: 'Regel' },
  control: { kind: 'choice', names: 'rule' },
  keys: ['rule'],
  facet: { column: 'rule_id' },
  grouping: { column: 'rule_id' },
  condition: (values, parameters) => anyOf('f.rule_id', values, 'text', parameters),
  column: (values) => ({ text: 'ruleId', in: values }),
  samples: [['rule-a'], ['Rule C', 'nothing'], ['-rule-b']],
  matches: (finding, values) => values.includes(finding.rule.id),
});
