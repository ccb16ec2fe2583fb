import { timeFilter } from './time-filter.ts';

export const from = timeFilter({
  description: 'First seen at or after this time.',
  label: { en: 'First seen from', de: 'Zuerst gesehen ab' },
  column: 'first_seen_at',
  bound: { keys: ['first_seen', 'age'], end: 'from', direction: 'back' },
  keys: ['from'],
  samples: ['2026-03-02T00:00:01Z', '2026-03-01T00:00:02Z'],
});
