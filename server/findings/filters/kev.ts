import { yesNoFilter } from './yes-no-filter.ts';

export const kev = yesNoFilter({
  description: 'Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).',
  label: { en: 'Known to be exploited', de: 'Bekanntermaßen ausgenutzt' },
  keys: ['kev'],
  condition: (is) => `f.kev IS ${is ? 'NOT ' : ''}NULL`,
  column: (is) => ({ flag: 'kev', is }),
  matches: (finding, is) => (finding.kev !== null) === is,
});
