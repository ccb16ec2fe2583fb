import { ofDataSource } from './of-data-source.ts';
import { normalizeTag, tagName, valuesFilter } from './values-filter.ts';

export const dataSourceTag = valuesFilter({
  ...ofDataSource('tag'),
  item: tagName,
  normalize: normalizeTag,
  description: 'In data sources with any of these tags.',
  label: { en: 'Tag of the data source', de: 'Schlagwort der Datenquelle' },
  control: { kind: 'choice' },
  keys: ['data_source_tag'],
  facet: {
    column: 'data_source_id',
    dataSource: true,
    each: 'unnest(d.tags) AS value',
    valuesOf: (source) => source.tags,
  },
  samples: [['pci'], ['später', 'nothing'], ['-später']],
  matches: ({ importance }, values) => importance.tags.some((tag) => values.includes(tag)),
});
