import type { SgNode } from '@ast-grep/napi';
import { FileIndex } from '../flow/file-index.ts';
import { calleeName, findKinds, kindOf } from '../flow/syntax.ts';
import { isVariadic, parameterNames } from '../flow/targets.ts';
import { FlowTracker } from '../flow/tracker.ts';
import { type End, type Flow, type Trail, withCode } from '../flow/value.ts';
import type { Language } from '../languages/language.ts';
import { mentionsOf } from './mentions.ts';
import { Names } from './names.ts';
import { partsOfCall, restMark } from './parts.ts';
import type {
  Answer,
  Call,
  DeclaredNames,
  FileSummary,
  FunctionSummary,
  Origin,
  Questions,
  Step,
  Use,
} from './summary.ts';

const maxCalls = 400;
const maxFunctions = 400;
const maxAliases = 600;
const maxOrigins = 100;
const maxText = 300;
const maxStepsOfOrigin = 12;
const yielding = ['yield', 'yield_expression', 'yield_statement'];

export const lineOf = (node: SgNode) => node.range().start.line + 1;

/** Returns the origins of a value. */
export function originsOf({ ends }: Pick<Flow, 'ends'>): Origin[] {
  return ends.map((end) => originOf(end));
}

function originOf({ from, place, before, trail }: End): Origin {
  const steps: Step[] = [];
  const through: NonNullable<Origin['through']> = [];
  const cleanFor = new Set<NonNullable<Origin['cleanFor']>[number]>();
  for (let at: Trail | null = trail; at !== null; at = at.nearer) {
    if (steps.length < maxStepsOfOrigin) steps.push([lineOf(at.node), at.words]);
    if (at.through) {
      const { name, part, isField } = at.through;
      through.push(isField ? [name, part, true] : [name, part]);
    }
    for (const kind of at.cleans ?? []) cleanFor.add(kind);
  }
  return {
    from,
    ...(place && { name: place.name, ...(place.part !== '' && { part: place.part }) }),
    ...(through.length > 0 && { through }),
    ...(cleanFor.size > 0 && { cleanFor: [...cleanFor] }),
    before: before.slice(0, maxText),
    steps,
  };
}

/** Returns a file's summary; null if nothing in it concerns other files. The functions and calls are added on demand. */
export function summarize(
  language: Language,
  source: string,
  names: Names,
  uses: Use[],
  hasInput: boolean,
): FileSummary | null {
  const used = namesOf(uses.flatMap(({ origins }) => origins));
  const declared = declaredBy(language, names, used);
  const { functions, aliases, exports, stars, classes } = declared;
  if ([functions, aliases, exports, uses, stars, classes].every((part) => part.length === 0)) return null;
  return {
    ...declared,
    calls: [],
    uses,
    ...(hasInput && { hasInput }),
    mentions: mentionsOf(source, language.name),
    asked: { functions: [], calls: [] },
  };
}

/** `used`: the functions whose parameters are needed. */
function declaredBy(language: Language, { declared }: Names, used: ReadonlySet<string>): DeclaredNames {
  return {
    ...(declared.package !== '' && { package: declared.package }),
    aliases: [...declared.aliases].slice(0, maxAliases),
    exports: [...declared.exports].slice(0, maxAliases),
    stars: declared.stars.slice(0, maxAliases),
    bases: [...declared.bases]
      .flatMap(([name, bases]) => bases.map((base): [string, string] => [name, base]))
      .slice(0, maxAliases),
    classes: [...declared.classes].slice(0, maxAliases),
    functions: [
      ...[...declared.functions.values()].map(({ name, node }) =>
        used.has(name) ? { name, parameters: parametersOf(language, node) } : { name },
      ),
      ...[...declared.values.keys()].map((name) => ({ name })),
    ].slice(0, maxFunctions),
  };
}

/** Returns the functions, calls and names of a file that were asked for. */
export function answer(language: Language, root: SgNode, source: string, questions: Questions): Answer {
  const { functions, calls } = questions;
  const file = new FileIndex(language, root, source);
  const names = new Names(language, root, file);
  const tracker = new FlowTracker(language, file, source, names);
  const wanted = new Set(functions);
  const foundCalls = findCalls(
    language,
    root,
    names,
    tracker,
    new Map(calls.map(({ name, parts }) => [name, new Set(parts)])),
  );
  const calling = namesOf(foundCalls.flatMap(({ passed }) => passed.flatMap(({ origins }) => origins)));
  const found = [...names.declared.functions.values()]
    .slice(0, maxFunctions)
    .flatMap(({ name, node }): FunctionSummary[] => {
      if (wanted.has(name)) return [summarizeFunction(language, file, tracker, name, node)];
      return calling.has(name) ? [{ name, parameters: parametersOf(language, node) }] : [];
    });
  for (const [name, values] of names.declared.values)
    if (wanted.has(name)) found.push({ name, results: resultsAmong(values, file, tracker) });
  const declared = questions.declared && declaredBy(language, names, new Set());
  return { functions: found, calls: foundCalls, ...(declared && { declared }) };
}

/** Returns the functions whose parameters are among some origins. */
const namesOf = (origins: Origin[]) =>
  new Set(origins.flatMap(({ from, name }) => (from !== 'result' && name !== undefined ? [name] : [])));

function parametersOf(language: Language, node: SgNode): string[] {
  const names = parameterNames(language, node).map((parameter) => parameter ?? '');
  return isVariadic(language, node) ? names.with(-1, `${restMark}${names.at(-1)}`) : names;
}

function summarizeFunction(
  language: Language,
  file: FileIndex,
  tracker: FlowTracker,
  name: string,
  node: SgNode,
): FunctionSummary {
  const parameters = parametersOf(language, node);
  const results = file.functions.resultsOf(node);
  const isYielding = findKinds(language, node, yielding).length > 0;
  if (isYielding || /constructor|__init__|initialize|__construct/.test(name))
    return { name, parameters, results: null };
  return { name, parameters, results: resultsAmong(results, file, tracker) };
}

const resultsAmong = (values: SgNode[], file: FileIndex, tracker: FlowTracker): Origin[] =>
  values
    .flatMap((value) => (file.isDead(value) ? [] : originsOf(tracker.follow(value, { collects: true }))))
    .slice(0, maxOrigins);

/** The last names of functions, with the parts of their arguments that matter. */
type Wanted = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the calls of a file; in Ruby, where most of a file is calls, only those of methods with the wanted names. */
function callsOf(language: Language, root: SgNode, wanted: Wanted): SgNode[] {
  if (language.name !== 'ruby') return findKinds(language, root, Object.keys(language.calls));
  const names = ['new', ...wanted.keys()].map((name) => name.replace('?', '\\?')).join('|');
  return root.findAll({ rule: { kind: 'call', has: { field: 'method', regex: `^(?:${names})$` } } } as never);
}

function findCalls(language: Language, root: SgNode, names: Names, tracker: FlowTracker, wanted: Wanted): Call[] {
  const calls: Call[] = [];
  if (wanted.size === 0) return calls;
  for (const node of callsOf(language, root, wanted)) {
    if (calls.length >= maxCalls) break;
    const written = calleeName(language, node);
    const called = names.namesCalledBy(written, wanted);
    const callee = called.length > 0 ? names.calleeOf(node, written) : null;
    if (callee === null) continue;
    const matters = (part: string) =>
      called.some((name) => wanted.get(name)!.has('*') || wanted.get(name)!.has(part.split('.')[0]!));
    const passed = partsOfCall(language, node, callee).flatMap(({ part, value }) => {
      if (language.literals.includes(kindOf(value)) || !matters(part)) return [];
      const flow = tracker.follow(value, { collects: true });
      const origins = originsOf(flow);
      return origins.length > 0 ? [{ part, text: flow.text.slice(0, maxText), origins }] : [];
    });
    calls.push({ callee, step: [lineOf(node), withCode('Passed to', written)], passed });
  }
  return calls;
}
