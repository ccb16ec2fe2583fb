import { timeFilter } from './time-filter.ts';

export const to = timeFilter({
  description: 'First seen at or before this time, to the second.',
  label: { en: 'First seen until', de: 'Zuerst gesehen bis' },
  column: 'first_seen_at',
  bound: { keys: ['first_seen', 'age'], end: 'to', direction: 'back' },
  keys: ['to'],
  samples: ['2026-03-02T00:00:01Z', '2026-03-02T00:00:02Z'],
});
