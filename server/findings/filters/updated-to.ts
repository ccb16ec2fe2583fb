import { timeFilter } from './time-filter.ts';

export const updatedTo = timeFilter({
  description: 'Last changed at or before this time, to the second.',
  label: { en: 'Not changed since', de: 'Nicht geändert seit' },
  column: 'updated_at',
  bound: { keys: ['updated'], end: 'to', direction: 'back' },
  keys: ['updated_to'],
  samples: ['2026-05-01T00:00:05Z', '2026-05-01T00:00:08Z'],
});
