import { yesNoFilter } from './yes-no-filter.ts';

export const commented = yesNoFilter({
  description: 'Whether somebody has commented on it.',
  label: { en: 'Commented', de: 'Kommentiert' },
  keys: ['commented'],
  condition: (is) => `f.comment_count ${is ? '>' : '='} 0`,
  column: (is) => ({ flag: 'commented', is }),
  matches: (finding, is) => finding.comment_count > 0 === is,
});
