import { yesNoFilter } from './yes-no-filter.ts';

export const reopened = yesNoFilter({
  description: 'Whether it came back after it was resolved.',
  label: { en: 'Reopened', de: 'Wieder geöffnet' },
  keys: ['reopened'],
  condition: (is) => `f.reopened_count ${is ? '>' : '='} 0`,
  column: (is) => ({ flag: 'reopened', is }),
  matches: (finding, is) => finding.reopened_count > 0 === is,
});
