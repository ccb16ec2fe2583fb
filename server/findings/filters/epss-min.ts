import Type from 'typebox';
import { defineFilter } from '../filter.ts';

export const epssMin = defineFilter({
  schema: Type.Number({ minimum: 0, maximum: 1, description: 'With an EPSS score of at least this, 0 to 1.' }),
  label: { en: 'Lowest EPSS score', de: 'Mindestens EPSS' },
  control: { kind: 'range', keys: ['epss'], end: 'from' },
  keys: ['epss_min'],
  read: (any) => ({ any }),
  condition: (min, parameters) => `f.epss >= ${parameters.add(min)}::real`,
  column: (min) => ({ number: 'epss', from: Math.fround(min) }),
  samples: [0, 0.5],
  matches: ({ epss }, min) => epss !== null && epss >= min,
});
