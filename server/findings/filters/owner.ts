import Type from 'typebox';
import { ofDataSource } from './of-data-source.ts';
import { personControl, readMe } from './people.ts';
import { valuesFilter } from './values-filter.ts';

export const owner = valuesFilter({
  ...ofDataSource('owner'),
  item: Type.String({ minLength: 1, maxLength: 320 }),
  normalize: readMe,
  description: 'In data sources that any of these people own: an id, an email address, `me`, or `none`.',
  label: { en: 'Owner of the data source', de: 'Zuständig für die Datenquelle' },
  control: personControl,
  keys: ['owner'],
  facet: {
    column: 'data_source_id',
    dataSource: true,
    value: `COALESCE(d.owner_id, 'none')`,
    valuesOf: (source) => [source.ownerId ?? 'none'],
  },
  samples: [['me'], ['none'], ['-me']],
  matches: ({ importance }, values) => values.includes(importance.owner_id ?? 'none'),
});
