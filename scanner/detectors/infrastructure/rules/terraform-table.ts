import type { Value } from '../value.ts';
import { hasValue, whatIsWrong } from './expectation.ts';
import { type Family, type RowText, readTable, type TableRow } from './table.ts';
import { bareNames, namesOn, onBlock, resources, rule } from './terraform-helpers.ts';

/** Builds the rules of a table. */
export const terraformTable = (family: Family, rows: RowText[]) => readTable(family, rows).map(tableRule);

function tableRule(row: TableRow) {
  const { types, attribute, expectation, condition, ...texts } = row;
  const paths = attribute.split(' or ');
  const context = condition?.isMet ? nested(condition.attribute.split('.'), JSON.stringify(condition.words[0])) : '';
  const resource = (body: string, type = types[0]) => `resource "${type}" "a" {\n${context}\n${body}\n}\n`;
  const sample = (path: string, value: string, type = types[0]) =>
    resource(nested(path.replaceAll('?', '').split('.'), value), type);
  const optional = paths[0]!.slice(0, paths[0]!.lastIndexOf('?.')).replaceAll('?', '');
  const missing = (type: string) =>
    resource(paths[0]!.includes('?.') ? nested([...optional.split('.'), ''], '') : '', type);
  const bad = (type: string) =>
    expectation.bad === null ? [] : [sample(paths[0]!, JSON.stringify(expectation.bad), type)];
  return rule({
    ...texts,
    knownAs: bareNames(texts.knownAs),
    scopedNames: texts.knownAs,
    id: `terraform-${row.id}`,
    find: (found) =>
      resources(found, ...types).flatMap((block) => {
        if (condition && hasValue(block.body, condition.attribute, condition.words) !== condition.isMet) return [];
        const wrong = whatIsWrong(block.body, attribute, expectation);
        return wrong === null ? [] : [{ ...onBlock(block, wrong), knownAs: namesOn(block, texts.knownAs) }];
      }),
    matches: types.flatMap((type) => [...bad(type), ...(expectation.isMissingWrong ? [missing(type)] : [])]),
    misses: attribute.startsWith('- ')
      ? [resource('', 'another_type')]
      : [
          ...paths.map((path) => sample(path, JSON.stringify(expectation.good as Value))),
          sample(paths[0]!, 'data.x.y.z'),
          ...(expectation.isMissingWrong ? [] : [resource('')]),
        ],
  });
}

const nested = ([step = '', ...rest]: string[], value: string): string =>
  rest.length === 0 ? step && `${step} = ${value}` : `${step} {\n${nested(rest, value)}\n}`;
