import { compilePath } from '@assay/scanner/contract/path-glob.ts';
import { pathExpression, pathWords } from './path-pattern.ts';
import { anyQuery } from './text-lists.ts';
import { name, valuesFilter } from './values-filter.ts';

export const path = valuesFilter({
  item: name,
  description:
    'At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.',
  label: { en: 'Path', de: 'Pfad' },
  control: { kind: 'text' },
  keys: ['path', 'file'],
  explain: (values) =>
    values.some((value) => pathWords(value) === null)
      ? 'must contain a whole word or the beginning of one, as `src` in `src/*` or `test` in `**/test/**`'
      : undefined,
  condition: (values, parameters) =>
    `COALESCE(f.path ~ ANY(${parameters.add(values.map(pathExpression))}::text[]), false)`,
  column: (values) => {
    const tests = values.map(compilePath);
    const where = (path: string | null) => path !== null && tests.some((test) => test(path));
    return { text: 'path', name: `path ${JSON.stringify(values)}`, where };
  },
  words: (values) => anyQuery(values.map(pathWords)),
  samples: [['src/api'], ['Späth', '**/unit/**'], ['-src'], ['src/*/k?.ts', 'src/**.ts']],
  matches: ({ location }, values) =>
    values.some((value) => new RegExp(pathExpression(value)).test(location.path ?? '')),
});
