import Type from 'typebox';
import { expandAliases } from '../aliases/resolve-aliases.ts';
import { anyWords, containsAny, listCondition } from './text-lists.ts';
import { valuesFilter } from './values-filter.ts';

export const identifier = valuesFilter({
  item: Type.String({ minLength: 1, maxLength: 200 }),
  description:
    'With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`, or with an alias of one that advisories or results state. Case does not matter.',
  label: { en: 'Identifier', de: 'Kennung' },
  control: { kind: 'choice' },
  keys: ['identifier', 'id', 'cwe', 'cve'],
  facet: {
    column: 'fact',
    fact: 'f.identifiers::text',
    each: '(SELECT DISTINCT json_array_elements_text(fact::json) AS value) list',
  },
  resolve: async (db, { any, none }, { orgId }) => {
    const aliases = await expandAliases(db, orgId, [...(any ?? []), ...(none ?? [])]);
    const expand = (values: string[] | undefined) =>
      values && [...new Set(values.flatMap((value) => [value, ...(aliases.get(value.toUpperCase()) ?? [])]))];
    return { any: expand(any), none: expand(none) };
  },
  condition: (values, parameters) => listCondition('f.identifiers', values, parameters),
  column: (values) => ({ list: 'identifiers', anyOf: values, inAnyCase: true }),
  words: anyWords,
  samples: [['CWE-798'], ['cve-2021-44228', 'CVE-1'], ['-CWE-798']],
  matches: (finding, values) => containsAny(finding.identifiers, values),
});
