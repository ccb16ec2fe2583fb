import { normalizeTag, tagName, valuesFilter } from './values-filter.ts';

export const tag = valuesFilter({
  item: tagName,
  normalize: normalizeTag,
  description: 'With any of these tags.',
  label: { en: 'Tag', de: 'Schlagwort' },
  control: { kind: 'choice' },
  keys: ['tag'],
  facet: { column: 'tags', each: 'unnest(tags) AS value' },
  condition: (values, parameters) => `f.tags && ${parameters.add(values)}::text[]`,
  column: (values) => ({ list: 'tags', anyOf: values }),
  samples: [['pci'], ['später', 'a b'], ['-PCI-2']],
  matches: (finding, values) => finding.tags.some((one) => values.includes(one)),
});
