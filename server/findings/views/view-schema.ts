import Type from 'typebox';
import { UserReference } from '../../organization/schema.ts';
import { enumeration, idOf, nullable, page, time } from '../../platform/http/schema.ts';
import { nameSchema } from '../../platform/name.ts';
import { formatTime } from '../../platform/times.ts';
import { filterProperties } from '../filters/read.ts';
import { listSorts } from '../orders.ts';
import type { ViewRow } from './queries.ts';

const filterOf = ($id: string) =>
  Type.Object(filterProperties, {
    $id,
    description: 'Filters of the list of findings, several values as an array; `{}` selects all findings.',
  });
const filter = filterOf('ViewFilterInput');

const sort = nullable(enumeration(listSorts, { $id: 'ViewSort' }), {
  description: 'The order of the list; null for its default. `relevance` needs a filter with `q`.',
});

const columns = nullable(
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[a-z][a-z0-9_.]*$',
      errorMessage: 'must be a member of a finding, such as severity or rule.id',
    }),
    { maxItems: 50, uniqueItems: true },
  ),
  {
    $id: 'ChosenColumns',
    description: 'The columns to show, as members of a finding, in order; null for the default ones.',
  },
);

const shared = Type.Boolean({
  description:
    'Whether everybody in the organization sees the view. A private one is seen by its owner only. To share needs the role `analyst`.',
});

const name = nameSchema('Unique, case aside, among your private views or among the shared ones.', 100);

export const View = Type.Object(
  {
    id: idOf('view'),
    name: Type.String(),
    shared,
    filter: filterOf('ViewFilter'),
    sort,
    columns,
    owner: nullable(UserReference, {
      description: 'The person who made it; null when that person has left the organization.',
    }),
    editable: Type.Boolean({ description: 'Whether you may change and delete it.' }),
    created_at: time(),
    updated_at: time(),
  },
  { $id: 'View' },
);

export const ViewPage = page(View, 'View');

export const ViewCreation = Type.Object(
  { name, shared: Type.Optional(shared), filter, sort: Type.Optional(sort), columns: Type.Optional(columns) },
  { $id: 'ViewCreation' },
);

export const ViewUpdate = Type.Object(
  {
    name: Type.Optional(name),
    shared: Type.Optional(shared),
    filter: Type.Optional(filter),
    sort: Type.Optional(sort),
    columns: Type.Optional(columns),
  },
  { $id: 'ViewUpdate', minProperties: 1 },
);

export const viewExample = {
  id: 'view_01jd3q5r8wf0ht6vsx2p9k4m7n',
  name: 'Needs triage',
  shared: true,
  filter: { status: ['new'], severity: ['critical', 'high'] },
  sort: '-severity',
  columns: ['severity', 'title', 'data_source', 'first_seen_at'],
  owner: { id: 'usr_01jd3q5r8wf0ht6vsx2p9k4m7n', name: 'Ada Lovelace' },
  editable: true,
  created_at: '2026-01-31T09:30:00Z',
  updated_at: '2026-01-31T09:30:00Z',
};

export const viewOf = ({ createdAt, updatedAt, ...row }: ViewRow, editable: boolean) => ({
  ...row,
  editable,
  created_at: formatTime(createdAt),
  updated_at: formatTime(updatedAt),
});
