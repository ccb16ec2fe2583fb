import Type from 'typebox';
import { defineFilter } from '../filter.ts';

export const priorityMin = defineFilter({
  schema: Type.Integer({ minimum: 0, maximum: 100, description: 'Findings of this priority or a higher one.' }),
  label: { en: 'Lowest priority', de: 'Mindestpriorität' },
  control: { kind: 'range', keys: ['priority'], end: 'from' },
  keys: ['priority_min'],
  read: (any) => ({ any }),
  condition: (min, parameters) => `f.priority >= ${parameters.add(min)}::smallint`,
  column: (min) => ({ number: 'priority', from: min }),
  samples: [30, 48],
  matches: (finding, min) => finding.priority >= min,
});
