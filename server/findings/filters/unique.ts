import Type from 'typebox';
import { defineFilter } from '../filter.ts';
import { isShownForProblem } from '../finding-sql.ts';
import { yesNo } from './yes-no-filter.ts';

export const unique = defineFilter({
  schema: Type.Boolean({
    description:
      'With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.',
  }),
  label: { en: 'One of each problem', de: 'Je Problem ein Befund' },
  control: { ...yesNo, values: yesNo.values.slice(0, 1) },
  keys: ['unique'],
  read: (given) => ({ any: given || undefined }),
  condition: () => isShownForProblem,
  column: () => ({ shown: true }),
  samples: [true],
  matches: (finding) => finding.isShown,
});
