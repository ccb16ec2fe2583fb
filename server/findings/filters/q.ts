import Type from 'typebox';
import { defineFilter } from '../filter.ts';
import { searchCondition } from '../shared-texts.ts';
import { wordsOf } from '../words.ts';

export const q = defineFilter({
  schema: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.',
  }),
  label: { en: 'Search text', de: 'Suchtext' },
  control: { kind: 'text' },
  keys: ['q'],
  read: (any) => ({ any }),
  search: wordsOf,
  condition: (text, parameters) => searchCondition({ own: null, words: wordsOf(text) }, parameters) || 'false',
  samples: ['key', 'KEY configuration', 'schlüssel', "o'hara", 'cwe 798', 'lodash key'],
  matches: (finding, text) => {
    const { location, rule } = finding;
    const own = [finding.title, location.path, rule.id, rule.name, ...rule.tags, ...finding.identifiers];
    const of = [location.package?.name, location.package?.version, location.package?.ecosystem];
    const others = [finding.description, finding.evidence, finding.remediation, ...finding.references];
    const present = new Set(wordsOf([...own, ...of, ...others].join(' ')));
    return wordsOf(text).every((word) => present.has(word));
  },
});
