import { type InfrastructureRule, rulesOf } from '../rule.ts';
import type { TerraformBlock } from '../terraform.ts';
import { hasValue, type Must, readExpectation, whatIsWrong } from './expectation.ts';
import { cellsOf, readTypes } from './table.ts';
import { onBlock, resources } from './terraform-helpers.ts';

const rule = rulesOf('cloudformation', [
  'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html',
  'https://cheatsheetseries.owasp.org/cheatsheets/Infrastructure_as_Code_Security_Cheat_Sheet.html',
]);

type Model = InfrastructureRule<'terraform'>;

/** Returns the check of Terraform that is about the same problem, whose texts and severity are the same. */
function modelOf(models: Model[], id: string): Model {
  const model = models.find((candidate) => candidate.id === `terraform-${id}`);
  if (!model) throw new Error(`There is no check terraform-${id}`);
  return model;
}

const textsOf = ({ title, severity, cwe, knownAs, risk }: Model) => ({ title, severity, cwe, knownAs, risk });

/** Returns a template with one resource. */
export const template = (type: string, properties: unknown): string =>
  JSON.stringify({ Resources: { A: { Type: type, Properties: properties } } }, null, 1);

type Exempt = (block: TerraformBlock, found: TerraformBlock[]) => boolean;

/** A check in one line, as in a table of Terraform: `check of Terraform | types | attribute | what it must be`. */
type RowText = `${string} | ${string} | ${string} | ${Must}`;

/** Builds the rules of a table. `exempt` has the resources that some of them leave out. */
export const cloudFormationTable = (models: Model[], rows: RowText[], exempt: Record<string, Exempt>) =>
  rows.map((row) => {
    const [id, types, attribute, must] = cellsOf(row, 4) as [string, string, string, Must];
    return tableRule(modelOf(models, id), id, types, attribute, must, exempt[id] ?? (() => false));
  });

function tableRule(model: Model, id: string, typesText: string, attribute: string, must: Must, isExempt: Exempt) {
  const { types, condition } = readTypes(typesText);
  const expectation = readExpectation(must);
  const paths = attribute.split(' or ');
  const context = condition?.isMet ? nested(condition.attribute.split('.'), condition.words[0]) : {};
  const sample = (path: string, value: unknown) =>
    template(types[0]!, { ...context, ...nested(path.replaceAll('?', '').split('.'), value) });
  const first = paths[0]!;
  const missing = first.includes('?.')
    ? sample(first.slice(0, first.lastIndexOf('?.')), {})
    : template(types[0]!, context);
  return rule({
    ...textsOf(model),
    id: `cloudformation-${id}`,
    remediation: expectation.advice(first.replaceAll('?', '')),
    find: (found) =>
      resources(found, ...types).flatMap((block) => {
        if (condition && hasValue(block.body, condition.attribute, condition.words) !== condition.isMet) return [];
        const wrong = whatIsWrong(block.body, attribute, expectation);
        return wrong === null || isExempt(block, found) ? [] : [onBlock(block, wrong)];
      }),
    matches: [
      ...(expectation.bad === null ? [] : [sample(first, expectation.bad)]),
      ...(expectation.isMissingWrong ? [missing] : []),
    ],
    misses: [...paths.map((path) => sample(path, expectation.good)), sample(first, { 'Fn::ImportValue': 'x' })],
  });
}

const nested = ([step = '', ...rest]: string[], value: unknown): Record<string, unknown> => ({
  [step]: rest.length === 0 ? value : nested(rest, value),
});

/** Builds a check that finds the same in CloudFormation as its model in Terraform. */
export function sameCheck(
  models: Model[],
  id: string,
  rest: { remediation: string; matches: string[]; misses: string[] },
) {
  const model = modelOf(models, id);
  return rule({ ...textsOf(model), ...rest, id: `cloudformation-${id}`, find: model.find });
}
