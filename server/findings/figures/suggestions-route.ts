import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { enumeration, nullable } from '../../platform/http/schema.ts';
import { whileConnected } from '../../platform/http/while-connected.ts';
import { FoundFinding } from '../finding-schema.ts';
import { nameValues } from './facet-queries.ts';
import { suggestFindings } from './suggest-findings.ts';
import { listSuggestions } from './suggestions.ts';

const FindingSuggestion = Type.Object(
  {
    filter: enumeration(['identifier', 'package', 'rule'], {
      $id: 'FindingSuggestionFilter',
      description: 'The filter of the list that has the value.',
    }),
    value: Type.String(),
    label: nullable(Type.String(), { description: 'The display name of a rule.' }),
    count: Type.Integer({ minimum: 1, description: 'The number of open findings that have it.' }),
  },
  { $id: 'FindingSuggestion' },
);

export const suggestionsRoute = defineRoute({
  method: 'GET',
  path: '/findings/suggestions',
  operationId: 'suggestFindingValues',
  tag: 'Findings',
  summary: 'Suggest identifiers, packages, rules and findings',
  description:
    'Returns values of open findings for a search as one types: those that contain all words of the text, whatever their case, in the identifier, the package or the id of the rule. Values that are the text come first, then those that begin with it, then those with more findings. With `findings`, the most urgent findings come with them: those with all words of the text, also closed ones, and after them the open ones with the first value. In a large organization, words that many findings have are looked for among the 500 most urgent findings.',
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  readsReplica: true,
  query: {
    q: Type.String({ minLength: 1, maxLength: 200, description: 'The text as far as it is typed.' }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        default: 5,
        description: 'The maximum number of values of each filter.',
      }),
    ),
    findings: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 20, default: 0, description: 'The maximum number of findings.' }),
    ),
  },
  responses: {
    200: {
      schema: Type.Object(
        { data: Type.Array(FindingSuggestion), findings: Type.Array(FoundFinding) },
        { $id: 'FindingSuggestions' },
      ),
      description: 'The values, the best first.',
      example: { data: [{ filter: 'package', value: 'log4j-core', label: null, count: 9 }], findings: [] },
    },
  },
  errors: [],
  handler: async ({ actor, query, reads, reply, context: { figures, columns } }) => {
    const { q: text, limit, findings: maxFindings = 0 } = query;
    const { orgId } = actor;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return { data: [], findings: [] };
    const question = ['suggestions', words, limit, maxFindings];
    return figures.read(reads, orgId, { question, signal: whileConnected(reply) }, async (signal) => {
      const suggested = listSuggestions(reads, orgId, { words, limit, columns, signal });
      const search = { text, limit: maxFindings, columns };
      const [found, findings, names] = await Promise.all([
        suggested,
        maxFindings === 0 ? [] : suggestFindings(reads, actor, search, suggested),
        suggested.then((values) => nameValues({ database: reads, columns }, orgId, values)),
      ]);
      return {
        data: found.map(({ field, value, count }) => ({
          filter: field,
          value,
          label: names.get(`${field} ${value}`) ?? null,
          count,
        })),
        findings,
      };
    });
  },
});
