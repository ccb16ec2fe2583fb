import { timeFilter } from './time-filter.ts';

export const dueTo = timeFilter({
  description: 'Due at or before this time, to the second.',
  label: { en: 'Due until', de: 'Fällig bis' },
  column: 'due_at',
  bound: { keys: ['due'], end: 'to', direction: 'ahead' },
  keys: ['due_to'],
  samples: ['2126-06-01T00:00:05Z', '7d'],
});
