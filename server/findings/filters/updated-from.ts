import { timeFilter } from './time-filter.ts';

export const updatedFrom = timeFilter({
  description: 'Changed at or after this time. With `sort=updated_at`, the way to follow all changes.',
  label: { en: 'Changed since', de: 'Geändert seit' },
  column: 'updated_at',
  bound: { keys: ['updated'], end: 'from', direction: 'back' },
  keys: ['updated_from'],
  samples: ['2026-05-01T00:00:05Z', '2026-05-01T00:00:03Z'],
});
