import Type from 'typebox';
import { advisoriesInText } from '../aliases/names.ts';
import { expandAliases } from '../aliases/resolve-aliases.ts';
import { defineFilter } from '../filter.ts';
import { searchCondition } from '../shared-texts.ts';
import { wordsOf } from '../words.ts';
import { anyWords } from './text-lists.ts';

/**
 * A search: the text and, once aliases are resolved, its terms and the identifiers that are aliases of the whole text.
 */
export type SearchText = { text: string; terms: string[]; names: string[] };

const readText = (text: string): SearchText => ({
  text,
  terms: wordsOf(text),
  names: [text.trim().toLowerCase()],
});

export const q = defineFilter({
  schema: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references; for the identifier of an advisory, an alias of it will do. Case does not matter. The number of a finding, `F-1042`, finds it alone. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.',
  }),
  label: { en: 'Search text', de: 'Suchtext' },
  control: { kind: 'text' },
  keys: ['q'],
  read: (given) => ({ any: readText(given) }),
  resolve: async (db, { any }, { orgId }) => {
    const written = advisoriesInText(any!.text);
    const aliases = written.length === 0 ? new Map() : await expandAliases(db, orgId, written);
    let rest = any!.text;
    const alternatives = written.flatMap((identifier) => {
      const names: string[] | undefined = aliases.get(identifier.toUpperCase());
      if (!names) return [];
      rest = rest.replaceAll(identifier, ' ');
      return [names];
    });
    const terms = [...wordsOf(rest), ...alternatives.map((names) => anyWords(names)!)];
    const names =
      rest.trim() === '' && alternatives.length === 1 ? alternatives[0]!.map((name) => name.toLowerCase()) : any!.names;
    return { any: { text: any!.text, terms, names } };
  },
  search: ({ terms }) => terms,
  condition: ({ terms }, parameters) => searchCondition({ own: null, words: terms }, parameters) || 'false',
  column: null,
  samples: ['key', 'KEY configuration', 'schlüssel', "o'hara", 'cwe 798', 'lodash key'],
  matches: (finding, { terms }) => {
    const { location, rule } = finding;
    const own = [finding.title, location.path, rule.id, rule.name, ...rule.tags, ...finding.identifiers];
    const of = [location.package?.name, location.package?.version, location.package?.ecosystem];
    const others = [finding.description, finding.evidence, finding.remediation, ...finding.references];
    const present = new Set(wordsOf([...own, ...of, ...others].join(' ')));
    return terms.every((word) => present.has(word));
  },
});
