import { name, valuesFilter } from './values-filter.ts';

const fact = 'f.package_name';

export const packageName = valuesFilter({
  item: name,
  description: 'In any of these packages (names).',
  label: { en: 'Package', de: 'Paket' },
  control: { kind: 'text' },
  keys: ['package', 'pkg'],
  grouping: { fact },
  condition: (values, parameters) => `COALESCE(${fact} = ANY(${parameters.add(values)}::text[]), false)`,
  column: (values) => ({ text: 'packageName', in: values }),
  samples: [['lodash'], ['@types/node', 'lod'], ['-lodash']],
  matches: ({ location }, values) => location.package !== null && values.includes(location.package.name),
});
