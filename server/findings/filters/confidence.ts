import type { Flag, Term } from '../columns/term.ts';
import { confidenceChoices, confidenceCondition, confidenceIn } from '../fact-bits.ts';
import { choiceFilter } from './values-filter.ts';

type Choice = (typeof confidenceChoices)[number];

const labels = {
  high: { en: 'High', de: 'Hoch' },
  medium: { en: 'Medium', de: 'Mittel' },
  low: { en: 'Low', de: 'Niedrig' },
  none: { en: 'Not stated', de: 'Ohne Angabe' },
};

const flagOf = {
  high: 'highConfidence',
  medium: 'mediumConfidence',
  low: 'lowConfidence',
} as const satisfies Record<string, Flag>;
const terms = Object.fromEntries(Object.entries(flagOf).map(([name, flag]) => [name, { flag, is: true }])) as Record<
  keyof typeof flagOf,
  Term
>;
const termOf = (choice: Choice): Term =>
  choice === 'none' ? { every: Object.values(flagOf).map((flag) => ({ flag, is: false })) } : terms[choice];

export const confidence = choiceFilter({
  values: confidenceChoices,
  $id: 'FindingConfidenceFilter',
  description: 'How likely it is true; `none`: its tool states no confidence.',
  label: { en: 'Confidence', de: 'Konfidenz' },
  control: {
    kind: 'choice',
    values: confidenceChoices.map((value) => ({ value, label: labels[value] })),
    closed: true,
  },
  keys: ['confidence'],
  facet: { column: 'reported', value: confidenceIn('reported'), flags: flagOf },
  condition: (chosen) => `(${chosen.map(confidenceCondition).join(' OR ') || 'false'})`,
  column: (chosen) => ({ some: chosen.map(termOf) }),
  samples: [['high'], ['medium', 'low'], ['none'], ['-low'], ['-none']],
  matches: (finding, chosen) => chosen.includes(finding.confidence ?? 'none'),
});
