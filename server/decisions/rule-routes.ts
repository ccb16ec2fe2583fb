import Type from 'typebox';
import { type Context, defineRoute } from '../context.ts';
import { nameValues } from '../findings/figures/facet-queries.ts';
import { pickerCount, pickerQuery, readPage } from '../findings/figures/picker-routes.ts';
import { invalid } from '../platform/errors.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { idOf, listOf, nullable, page } from '../platform/http/schema.ts';
import { autocommit, type Database } from '../platform/postgres/database.ts';
import { countFindingsOf, listJudgements, listOftenDismissed, minJudgements } from './rule-queries.ts';

const judgements = (description: string) => Type.Integer({ minimum: 0, description });

const KnownRule = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'Display name.' }),
    count: pickerCount,
    dismissed: judgements(
      'How often people dismissed it: the findings that they marked as false positives, and the decisions in force that do so for the rule.',
    ),
    confirmed: judgements(
      'How often people confirmed it: the findings with another status that they set, and the decisions in force that accept its risk or triage it.',
    ),
    demotion: nullable(idOf('dec'), {
      description: 'The decision because of which all of its findings are shown as `info`; null if there is none.',
    }),
  },
  { $id: 'KnownRule' },
);

type Rule = { id: string; name: string; count: number };
type Given = { reads: Database; context: Context };

/** Adds to rules how people judged them. */
async function withJudgements(reads: Database, orgId: string, rules: Rule[]) {
  const ids = rules.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await listJudgements(autocommit(reads, orgId), orgId, ids);
  const judged = new Map(rows.map(({ id, ...row }) => [id, row]));
  return rules.map((rule) => ({ ...rule, ...(judged.get(rule.id) ?? { dismissed: 0, confirmed: 0, demotion: null }) }));
}

/** Returns those of these rules that findings have. */
async function findRules(orgId: string, ids: string[], { reads, context: { columns } }: Given): Promise<Rule[]> {
  const counts = new Map(await countFindingsOf(autocommit(reads, orgId), orgId, ids));
  const known = ids.filter((id) => counts.has(id));
  const values = known.map((value) => ({ field: 'rule' as const, value }));
  const names = known.length === 0 ? new Map() : await nameValues({ database: reads, columns }, orgId, values);
  return known.map((id) => ({ id, name: names.get(`rule ${id}`) ?? id, count: counts.get(id)! }));
}

/** Returns a page of the rules that people dismiss more often than they confirm them. */
async function listDismissed(orgId: string, limit: number, cursor: string | undefined, given: Given) {
  const { reads, context } = given;
  const binding = { operation: 'listRules', orgId, filters: { often_dismissed: true } };
  const after = cursor === undefined ? '' : String(context.cursors.decode(binding, cursor)[0]);
  const ids = await listOftenDismissed(autocommit(reads, orgId), orgId, { after, limit: limit + 1 });
  return pageOf(await findRules(orgId, ids, given), limit, context.cursors, binding, ({ id }) => [id]);
}

const rules = defineRoute({
  method: 'GET',
  path: '/rules',
  operationId: 'listRules',
  tag: 'Findings',
  summary: 'List the rules that findings have',
  description: `By id, with the number of their findings and how people judged them. With \`often_dismissed\`, the rules that people dismissed more than half of at least ${minJudgements} times, and that no decision demotes: POST /decisions with the outcome \`demoted\` shows the findings of a rule as \`info\`.`,
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  readsReplica: true,
  query: {
    ...pickerQuery,
    id: Type.Optional(
      listOf(Type.String({ minLength: 1, maxLength: 500 }), { description: 'Only these rules, on one page.' }),
    ),
    often_dismissed: Type.Optional(
      Type.Boolean({ description: 'Only rules that people mostly dismiss. Not together with `id` or `q`.' }),
    ),
  },
  responses: {
    200: {
      schema: page(KnownRule, 'KnownRule'),
      description: 'A page of rules.',
      example: {
        data: [
          { id: 'aws-access-token', name: 'AWS access key', count: 4, dismissed: 1, confirmed: 3, demotion: null },
        ],
        next_cursor: null,
      },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query, reads, context }) => {
    const { id: ids, often_dismissed: isOften, ...picked } = query;
    const given = { reads, context };
    if (isOften && (ids !== undefined || picked.q !== undefined))
      throw invalid('query', 'often_dismissed', 'may not be given together with `id` or `q`');
    const read = async () => {
      if (isOften) return listDismissed(orgId, picked.limit, picked.next_cursor, given);
      if (ids) return { data: await findRules(orgId, [...new Set(ids)].toSorted(), given), next_cursor: null };
      const { data, next_cursor } = await readPage('listRules', 'rule', orgId, picked, given);
      return { data: data.map(({ value, ...rule }) => ({ id: value, ...rule })), next_cursor };
    };
    const { data, next_cursor } = await read();
    return { data: await withJudgements(reads, orgId, data), next_cursor };
  },
});

export const ruleRoutes = [rules];
