import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { enumeration, listOf, nullable } from '../../platform/http/schema.ts';
import { whileConnected } from '../../platform/http/while-connected.ts';
import { autocommit } from '../../platform/postgres/database.ts';
import { filterProperties, readFilters } from '../filters/read.ts';
import { facetFields, maxValues } from './facet-queries.ts';
import { countFacets, labelPeople } from './facets.ts';
import { isLasting } from './figure-cache.ts';

const FacetField = enumeration(facetFields, { $id: 'FacetField' });

const FacetValue = Type.Object(
  {
    value: Type.String({
      description:
        'The value as the filter of the list accepts it; `none` for findings without an assignee or a stated confidence, or in data sources without an owner.',
    }),
    label: nullable(Type.String(), {
      description: 'The display name if the value is the id of a data source, a person or a rule.',
    }),
    count: Type.Integer({ minimum: 0 }),
  },
  { $id: 'FacetValue' },
);

const Facet = Type.Object(
  {
    field: FacetField,
    more: Type.Boolean({ description: 'Whether there are further values with smaller counts.' }),
    values: Type.Array(FacetValue, {
      maxItems: maxValues,
      description: `The ${maxValues} values with the largest counts, the largest first. Severities, statuses, confidences and criticalities are complete and in their own order.`,
    }),
  },
  { $id: 'Facet' },
);

const FindingFacets = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: 'The number of findings that the filters select.' }),
    facets: Type.Array(Facet, { description: 'The counts of each field, in the order of the request.' }),
  },
  { $id: 'FindingFacets' },
);

export const facetsRoute = defineRoute({
  method: 'GET',
  path: '/findings/facets',
  operationId: 'listFindingFacets',
  tag: 'Findings',
  summary: 'Count findings by value',
  description:
    'Returns how many findings have each value of a field, and how many the filters select. The values of a field are counted under the filters of the list except the one on that field. They agree with the list and with groups. Counts are exact.',
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  readsReplica: true,
  query: {
    ...filterProperties,
    field: listOf(FacetField, { description: 'The fields to count.' }),
    value_q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Returns only values that contain this text, or whose name does. (`q` filters findings, as in the list.)',
      }),
    ),
  },
  responses: {
    200: {
      schema: FindingFacets,
      description: 'The counts.',
      example: {
        total: 4,
        facets: [
          {
            field: 'data_source',
            more: false,
            values: [{ value: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5j', label: 'payments-api', count: 4 }],
          },
        ],
      },
    },
  },
  errors: [],
  handler: async ({ actor: { orgId, ...actor }, query, reads, reply, context: { figures, columns } }) => {
    const { field, value_q, ...given } = query;
    const filters = await readFilters(autocommit(reads, orgId), { orgId, ...actor }, given);
    // A text may be matched against people's names, whose changes don't invalidate cached figures.
    const question = value_q === undefined && isLasting(filters) ? ['facets', filters, field] : null;
    const facets = await figures.read(reads, orgId, { question, signal: whileConnected(reply) }, (signal) =>
      countFacets(reads, orgId, filters, { fields: field, text: value_q, signal, columns }),
    );
    return labelPeople(reads, orgId, facets);
  },
});
