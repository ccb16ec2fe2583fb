import { contextChoices, inTestsCondition, notInTestsCondition } from '../test-path.ts';
import { choiceFilter } from './values-filter.ts';

const conditions = { test: inTestsCondition, none: notInTestsCondition };
const labels = {
  test: { en: 'Tests and examples', de: 'Tests und Beispiele' },
  none: { en: 'Not in tests', de: 'Außerhalb von Tests' },
};

export const context = choiceFilter({
  values: contextChoices,
  $id: 'FindingContextFilter',
  description: '`test`: only in tests and examples; `-test` or `none`: elsewhere.',
  label: { en: 'Place', de: 'Ort' },
  control: { kind: 'choice', values: contextChoices.map((value) => ({ value, label: labels[value] })), closed: true },
  keys: ['context'],
  condition: (chosen) => {
    const [first, second] = chosen;
    if (first === undefined) return 'false';
    return second === undefined ? conditions[first] : 'true';
  },
  column: (chosen) => ({ some: chosen.map((value) => ({ flag: 'inTests', is: value === 'test' })) }),
  samples: [['test'], ['none'], ['-test']],
  matches: (finding, chosen) => chosen.includes(finding.context ?? 'none'),
});
