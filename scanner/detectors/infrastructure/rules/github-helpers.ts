import { rulesOf, type Sight } from '../rule.ts';
import { at, entriesOf, isRecord, listOf, type Path, textOf, textsOf, type Value } from '../value.ts';
import type { YamlDocument } from '../yaml-documents.ts';
import { expressionsIn, isForeign } from './github-expressions.ts';

export const rule = rulesOf('github-actions', [
  'https://docs.github.com/en/actions/security-for-github-actions/security-guides/security-hardening-for-github-actions',
  'https://owasp.org/www-project-top-10-ci-cd-security-risks/',
]);

/** `job` is empty in composite actions. */
export type Step = { job: string; body: Value; path: Path; name: string; isNamed: boolean };

/** Returns the steps of a workflow's jobs, or of a composite action. */
export function stepsOf(document: YamlDocument): Step[] {
  const jobs = entriesOf(at(document.value, 'jobs')).map(([job]) => ({ job, path: ['jobs', job] }));
  return [...jobs, { job: '', path: ['runs'] }].flatMap(({ job, path }) =>
    listOf(at(document.value, ...path, 'steps')).map((step, index) => {
      const label = textOf(at(step, 'id')) || textOf(at(step, 'name')) || textOf(at(step, 'uses')).split('@')[0]!;
      // A step without a name is identified by its command.
      const name = label || textOf(at(step, 'run')).replace(/\s+/g, ' ').slice(0, 60) || String(index);
      return { job, body: step, path: [...path, 'steps', index], name, isNamed: label !== '' };
    }),
  );
}

export const onStep = (document: YamlDocument, step: Step, field: string, evidence: string, key = ''): Sight => ({
  resource: `${step.job === '' ? 'action' : `job ${step.job}`}${step.isNamed ? ` step ${step.name}` : `\n${step.name}`}${key && `\n${key}`}`,
  evidence: evidence.slice(0, 300),
  ...document.linesOf([...step.path, field]),
});
export const onPath = (document: YamlDocument, path: Path, resource: string, evidence: string): Sight => {
  const { startLine } = document.linesOf(path);
  return { resource, evidence, startLine, endLine: startLine };
};

/** Returns the events that start the workflow, from a string, a list or a mapping. */
export const eventsOf = ({ value }: YamlDocument): string[] => {
  const on = at(value, 'on');
  return isRecord(on) ? Object.keys(on) : textsOf(on);
};

export const workflow = (steps: string, head = 'on: push\npermissions: {}') =>
  `${head}\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - ${steps}\n`;
export const action = (steps: string) => `name: a\nruns:\n  using: composite\n  steps:\n    - ${steps}\n`;
export const isFixed = (reference: string) => /^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(reference);

/** Returns the environment of a step, with that of its job and workflow. */
export const environmentOf = (document: YamlDocument, { job, body }: Step): Record<string, Value> =>
  Object.assign(
    {},
    ...[at(document.value, 'env'), at(document.value, 'jobs', job, 'env'), at(body, 'env')].filter(isRecord),
  );

/** Returns whether outsiders control a text of a workflow. */
const isForeignText = (text: string): boolean =>
  expressionsIn(text).some(({ values }) => values.some((value) => isForeign(value)));

/** Returns the names of the variables of a step that outsiders control. */
export const foreignVariables = (document: YamlDocument, step: Step): string[] =>
  entriesOf(environmentOf(document, step)).flatMap(([name, value]) => (isForeignText(textOf(value)) ? [name] : []));

/** Returns the first expression in a text of a step whose value outsiders control; null without one. */
export function foreignTextIn(document: YamlDocument, step: Step, text: string): string | null {
  const aliases = new Set(foreignVariables(document, step).map((name) => `env.${name.toLowerCase()}`));
  const found = expressionsIn(text).find(({ values }) =>
    values.some((value) => isForeign(value, (path) => aliases.has(path))),
  );
  return found?.text ?? null;
}
