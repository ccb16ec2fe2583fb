import { anyOf } from '../filter.ts';
import { hashedTrait } from './trait.ts';
import { name, valuesFilter } from './values-filter.ts';

export const rule = valuesFilter({
  item: name,
  description: 'Findings of any of these rules (ids).',
  label: { en: 'Rule', de: 'Regel' },
  control: { kind: 'choice', names: 'rule' },
  keys: ['rule'],
  inEntries: true,
  index: { name: 'findings_by_rule', leads: { column: 'rule_id', rank: 2 } },
  facet: { column: 'rule_id' },
  grouping: { column: 'rule_id' },
  condition: (values, parameters) => anyOf('f.rule_id', values, 'text', parameters),
  column: (values) => ({ text: 'ruleId', in: values }),
  trait: hashedTrait({ shift: 28, mask: 16_383 }),
  samples: [['rule-a'], ['Rule C', 'nothing'], ['-rule-b']],
  matches: (finding, values) => values.includes(finding.rule.id),
});
