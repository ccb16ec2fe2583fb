import { timeFilter } from './time-filter.ts';

export const acceptedUntilTo = timeFilter({
  description: 'Its risk is accepted until this time or an earlier one.',
  label: { en: 'Risk accepted until', de: 'Risiko akzeptiert bis' },
  column: 'accepted_until',
  bound: { keys: ['accepted_until'], end: 'to', direction: 'ahead' },
  keys: ['accepted_until_to'],
  samples: ['2126-05-01T00:00:05Z'],
});
