import Type from 'typebox';
import { ruleOf } from '../shared-texts.ts';
import { anyWords, containsAny, listCondition } from './text-lists.ts';
import { valuesFilter } from './values-filter.ts';

export const ruleTag = valuesFilter({
  item: Type.String({ minLength: 1, maxLength: 100 }),
  description: 'Findings of rules with any of these tags of their scanner, such as `security`. Case does not matter.',
  label: { en: 'Tag of the rule', de: 'Schlagwort der Regel' },
  control: { kind: 'text' },
  keys: ['rule_tag'],
  condition: (values, parameters) => listCondition(`${ruleOf}->'tags'`, values, parameters),
  column: (values) => ({ list: 'ruleTags', anyOf: values, inAnyCase: true }),
  words: anyWords,
  samples: [['security'], ['owasp-a03', 'nothing'], ['-external/cwe/cwe-079']],
  matches: (finding, values) => containsAny(finding.rule.tags, values),
});
