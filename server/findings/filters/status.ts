import { anyOf } from '../filter.ts';
import { statuses } from '../lifecycle.ts';
import { choiceFilter } from './values-filter.ts';

/** The terms of the console's list of findings. */
const riskAccepted = { en: 'Risk accepted', de: 'Risiko akzeptiert' };

export const status = choiceFilter({
  values: statuses,
  $id: 'FindingStatusFilter',
  description: 'Any of these statuses.',
  label: { en: 'Status', de: 'Status' },
  control: {
    kind: 'choice',
    values: statuses.map((value) => (value === 'accepted_risk' ? { value, label: riskAccepted } : { value })),
    closed: true,
  },
  keys: ['status', 'is'],
  isKept: true,
  facet: { column: 'status' },
  condition: (chosen, parameters) => anyOf('f.status', chosen, 'text', parameters),
  column: (chosen) => ({ text: 'status', in: chosen }),
  samples: [['new'], ['triaged', 'in_progress', 'accepted_risk'], ['-resolved']],
  matches: (finding, chosen) => chosen.includes(finding.status),
});
