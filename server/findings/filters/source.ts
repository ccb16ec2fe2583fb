import { anyOf } from '../filter.ts';
import { name, valuesFilter } from './values-filter.ts';

export const source = valuesFilter({
  item: name,
  description: 'Any of these detection source types.',
  label: { en: 'Detection source', de: 'Erkennungsquelle' },
  control: { kind: 'choice', names: 'detection_source' },
  keys: ['source', 'tool'],
  isKept: true,
  facet: { column: 'source' },
  condition: (values, parameters) => anyOf('f.source', values, 'text', parameters),
  column: (values) => ({ text: 'source', in: values }),
  samples: [['secrets'], ['code', 'nothing'], ['-secrets']],
  matches: (finding, values) => values.includes(finding.source),
});
