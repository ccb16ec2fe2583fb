import { criticalities } from '../../data-sources/importance.ts';
import { ofDataSource } from './of-data-source.ts';
import { choiceOf, valuesFilter } from './values-filter.ts';

const labels = {
  low: { en: 'Low', de: 'Niedrig' },
  medium: { en: 'Medium', de: 'Mittel' },
  high: { en: 'High', de: 'Hoch' },
  critical: { en: 'Critical', de: 'Sehr hoch' },
};

export const criticality = valuesFilter({
  ...ofDataSource('criticality'),
  item: choiceOf(criticalities, 'CriticalityFilter'),
  description: 'In data sources of any of these criticalities.',
  label: { en: 'Criticality of the data source', de: 'Kritikalität der Datenquelle' },
  control: {
    kind: 'choice',
    values: criticalities.toReversed().map((value) => ({ value, label: labels[value] })),
    closed: true,
  },
  keys: ['criticality'],
  facet: {
    column: 'data_source_id',
    dataSource: true,
    value: 'd.criticality',
    valuesOf: (source) => [source.criticality],
  },
  samples: [['critical'], ['low', 'high'], ['-medium']],
  matches: ({ importance }, values) => values.includes(importance.criticality),
});
