import Type from 'typebox';
import type { Db } from '../../platform/postgres/database.ts';
import { anyOf } from '../filter.ts';
import { findPerson, personControl, readMe } from './people.ts';
import { valuesFilter } from './values-filter.ts';

const findAll = (db: Db, orgId: string, values: string[] | undefined) =>
  values && Promise.all(values.map((value) => findPerson(db, orgId, value)));

export const assignee = valuesFilter({
  item: Type.String({ minLength: 1, maxLength: 320 }),
  normalize: readMe,
  description: 'Assigned to any of these: an id, an email address, `me`, or `none`.',
  label: { en: 'Assignee', de: 'Zugewiesen' },
  control: personControl,
  keys: ['assignee', 'assigned'],
  resolve: async (db, { any, none }, { orgId }) => ({
    any: await findAll(db, orgId, any),
    none: await findAll(db, orgId, none),
  }),
  facet: { column: 'assignee_id', value: `COALESCE(assignee_id, 'none')` },
  condition: (values, parameters) => {
    const ids = values.filter((value) => value !== 'none');
    const conditions = [];
    if (ids.length > 0)
      conditions.push(`f.assignee_id IS NOT NULL AND ${anyOf('f.assignee_id', ids, 'text', parameters)}`);
    if (ids.length < values.length) conditions.push('f.assignee_id IS NULL');
    return `(${conditions.join(' OR ')})`;
  },
  column: (values) => ({ text: 'assigneeId', in: values.map((value) => (value === 'none' ? null : value)) }),
  samples: [['me'], ['none'], ['-me'], ['me', '-none']],
  matches: ({ assignee: person }, values) => values.includes(person?.id ?? 'none'),
});
