import type { Flag, Term } from '../columns/term.ts';
import { contextChoices, elsewhereCondition, inExamplesCondition, inTestsCondition } from '../fact-bits.ts';
import { choiceFilter } from './values-filter.ts';

const conditions = { test: inTestsCondition, example: inExamplesCondition, none: elsewhereCondition };
const labels = {
  test: { en: 'Tests', de: 'Tests' },
  example: { en: 'Documentation and examples', de: 'Dokumentation und Beispiele' },
  none: { en: 'Elsewhere', de: 'Sonstiger Code' },
};

const flag = (name: Flag, is: boolean): Term => ({ flag: name, is });
const terms: Record<keyof typeof conditions, Term> = {
  test: flag('inTests', true),
  example: flag('inExamples', true),
  none: { every: [flag('inTests', false), flag('inExamples', false)] },
};

export const context = choiceFilter({
  values: contextChoices,
  $id: 'FindingContextFilter',
  description: '`test`: only in tests; `example`: only in documentation, templates and examples; `none`: elsewhere.',
  label: { en: 'Place', de: 'Ort' },
  control: { kind: 'choice', values: contextChoices.map((value) => ({ value, label: labels[value] })), closed: true },
  keys: ['context'],
  condition: (chosen) => `(${chosen.map((value) => conditions[value]).join(' OR ') || 'false'})`,
  column: (chosen) => ({ some: chosen.map((value) => terms[value]) }),
  samples: [['test'], ['example'], ['none'], ['-test'], ['-none']],
  matches: (finding, chosen) => chosen.includes(finding.context ?? 'none'),
});
