import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { parse, type SgNode } from '@ast-grep/napi';
import type { Confidence } from '../../contract/confidence.ts';
import { normalisedContent } from '../../contract/fingerprint.ts';
import { choosingArguments } from './flow/commands.ts';
import { FileIndex } from './flow/file-index.ts';
import { argumentsOf } from './flow/syntax.ts';
import { FlowTracker } from './flow/tracker.ts';
import { limits, unknownFunction } from './flow/tracker-path.ts';
import { type Flow, type Trail, unknownValue, withCode } from './flow/value.ts';
import { languages } from './languages/index.ts';
import { inputsOf } from './languages/inputs.ts';
import type { LanguageName } from './languages/language.ts';
import { isFollowed, Names } from './program/names.ts';
import { hasOpenClasses } from './program/open-classes.ts';
import { hasOutline, outlineOf } from './program/outline.ts';
import { answer, lineOf, originsOf, summarize } from './program/summarize.ts';
import type { Answer, FileSummary, Questions, Use } from './program/summary.ts';
import { RequiredText } from './required-text.ts';
import type { CodeHit, CodeStep, InputCondition, RuleCheck } from './rule.ts';

const maxHitsOfRule = 200;
const maxHitsOfFile = 1_000;
const maxUses = 200;
const maxLine = 300;
const maxText = 300;

/**
 * The hits in a file, and the bounds beyond which it was not checked. Each bound completes a sentence that starts with
 * the path. `summary`: the parts that concern other files.
 */
export type SourceCheck = { hits: CodeHit[]; bounds: string[]; summary?: FileSummary };

const nothing: SourceCheck = { hits: [], bounds: [] };

/**
 * Runs the rules of a language on a file. It blocks as long as the parser does, so it needs a separate process.
 * `extension` (lower case, without the dot) selects the grammar.
 */
export function checkSource(
  rules: RuleCheck[],
  language: LanguageName,
  extension: string,
  content: Buffer,
  isTest = false,
): SourceCheck {
  const { text, source } = readSource(language, extension, content);
  if (source === '') return nothing;
  const { parsers } = languages[language];
  const crosses = isFollowed(language) && !isTest;
  const index = new RequiredText(source);
  // Values need not be followed in a file that never mentions input of a request.
  let hasInput: boolean | null = null;
  const takesInput = () => {
    hasInput ??= inputsOf(language).anywhere.some((pattern) => pattern.test(source));
    return hasInput;
  };
  const matches = (rule: RuleCheck) =>
    (rule.keywords.length === 0 || rule.keywords.some((keyword) => source.includes(keyword))) &&
    (rule.fileContaining === null || new RegExp(rule.fileContaining, 'm').test(source));
  const ofLanguage = rules.filter((rule) => rule.language === language);
  const possible = ofLanguage.filter(
    (rule) => index.mayMatch(rule) && matches(rule) && (rule.input?.from !== 'request' || takesInput()),
  );
  // Other files may pass input, and the text of a query, to these.
  const further = crosses
    ? ofLanguage.filter(
        (rule) =>
          rule.input &&
          mayCross(rule.input) &&
          (rule.input.argument !== undefined || hasOpenClasses(language)) &&
          !possible.includes(rule) &&
          index.mayMatch(rule, rule.input.into === 'sql') &&
          matches(rule),
      )
    : [];
  const isIdle = possible.length === 0 && further.length === 0;
  if (isIdle && !crosses) return nothing;
  const parser = parsers[extension];
  if (!parser) return nothing;
  if (isIdle && hasOutline(language)) return { ...nothing, summary: outlineOf(language, source, takesInput()) };
  const root = parse(parser, source).root();
  const file = new FileIndex(languages[language], root, source);
  const names = crosses ? new Names(languages[language], root, file) : null;
  const tracker = new FlowTracker(languages[language], file, source, names);
  // Separate limits: work for other files must not use up those of the file itself.
  const outside = new FlowTracker(languages[language], file, source, names);
  const bounds: string[] = [];
  const uses: Use[] = [];
  const depending = new Map<CodeHit, { flow: Flow; node: SgNode }>();
  const findAll = (rule: RuleCheck, by: FlowTracker) => {
    const all = root.findAll(rule.config).flatMap((node) => {
      const carried = meetsInput(by, file, rule.input, node);
      return carried ? [{ node, ...carried }] : [];
    });
    const found = all.filter((one) => !one.isCandidate);
    for (const { node, flow, isCandidate } of all)
      if (isCandidate && !found.some((hit) => isInSameLine(node, hit.node, true)) && uses.length < maxUses)
        uses.push({ ...useOf(node, flow!), own: toHit(rule, node, null, text) });
    return found;
  };
  for (const rule of further) findAll(rule, outside);
  const hits = possible.flatMap((rule) => {
    const found = findAll(rule, tracker);
    if (found.length > maxHitsOfRule) bounds.push(`has more than ${maxHitsOfRule} matches of ${rule.id}${onlyFirst}`);
    return found
      .slice(0, maxHitsOfRule)
      .filter(({ node }, index, all) => !all.some((outer, place) => isInSameLine(node, outer.node, place < index)))
      .map((one) => {
        const hit = toHit(rule, one.node, one.flow, text);
        if (one.flow && names && dependsOnOthers(one.flow)) depending.set(hit, { flow: one.flow, node: one.node });
        return hit;
      });
  });
  if (hits.length > maxHitsOfFile) bounds.push(`has more than ${maxHitsOfFile} matches${onlyFirst}`);
  if (tracker.stepsOfFile > limits.stepsOfFile)
    bounds.push('is too long to follow all of its values: some findings may be missing');
  hits.sort((left, right) => left.startLine - right.startLine || left.startColumn - right.startColumn);
  const kept = hits.slice(0, maxHitsOfFile);
  if (!names) return { hits: kept, bounds };
  for (const [hit, { flow, node }] of depending) {
    const number = kept.indexOf(hit);
    if (number >= 0)
      uses.push({ ...useOf(node, flow), hit: number, rule: hit.rule, ...(flow.request && { isRequest: true }) });
  }
  // Most files that rules match have nothing that input of another file reaches: their names are found on demand.
  const isOutlined = uses.length === 0 && hasOutline(language);
  const summary = isOutlined
    ? outlineOf(language, source, takesInput())
    : summarize(languages[language], source, names, uses, takesInput());
  return { hits: kept, bounds, ...(summary && { summary }) };
}

const useOf = (node: SgNode, flow: Flow): Use => ({
  used: [lineOf(node), usedIn(node)],
  origins: originsOf(flow.request ? { ends: flow.ends.filter(({ from }) => from !== 'parameter') } : flow),
  text: flow.text.slice(0, maxText),
});

/** Returns a file's text, and the code in it. */
function readSource(language: LanguageName, extension: string, content: Buffer): { text: string; source: string } {
  const text = content.toString(isUtf8(content) ? 'utf8' : 'latin1');
  const { template } = languages[language];
  return { text, source: template?.extensions.includes(extension) ? template.toCode(text, extension) : text };
}

/** Answers questions about a file's functions and calls. */
export function answerQuestions(
  language: LanguageName,
  extension: string,
  content: Buffer,
  questions: Questions,
): Answer {
  const { source } = readSource(language, extension, content);
  const parser = languages[language].parsers[extension];
  if (!parser) return { functions: [], calls: [] };
  return answer(languages[language], parse(parser, source).root(), source, questions);
}

/** Returns whether other files decide if input reaches a use: through their functions, or only from their calls. */
const dependsOnOthers = ({ request, ends }: Flow): boolean =>
  request ? ends.every((end) => end.from !== 'request' || end.place || goesThrough(end.trail)) : ends.length > 0;

function goesThrough(trail: Trail): boolean {
  for (let at: Trail | null = trail; at !== null; at = at.nearer)
    if (at.through && at.through.name !== unknownFunction) return true;
  return false;
}

const onlyFirst = ': only the first ones are reported';

/**
 * The flow of input into a match; null if the match does not depend on input. `isCandidate`: only another file can pass
 * input to it.
 */
type Carried = { flow: Flow | null; isCandidate: boolean };

function meetsInput(tracker: FlowTracker, file: FileIndex, input: InputCondition | null, node: SgNode): Carried | null {
  const carried = carriesInput(tracker, input, node);
  if (!carried || file.isDead(node)) return null;
  const isChecked =
    (input?.into === 'path' && file.isCheckedAfter(node)) || (input?.looksUpClass && file.isClassCheckedAfter(node));
  return isChecked ? null : carried;
}

function carriesInput(tracker: FlowTracker, input: InputCondition | null, node: SgNode): Carried | null {
  if (!input) return { flow: null, isCandidate: false };
  let candidate: Flow | null = null;
  const source = input.source === undefined ? undefined : new RegExp(input.source, 's');
  const own = input.own === undefined ? null : new RegExp(input.own, 's');
  const except = input.except === undefined ? undefined : new RegExp(input.except);
  for (const expression of selectInputs(input, node, tracker.isCall(node))) {
    if (own && tracker.follow(expression, { source: own }).request) continue;
    const flow = tracker.follow(expression, { into: input.into, source, except, whole: input.whole });
    const isVarying = input.from === 'varying' && (flow.text === '' || flow.text.includes(unknownValue));
    const isOpen = flow.ends.some((end) => end.from !== 'request') && mayCross(input);
    const carries =
      flow.request ||
      isVarying ||
      (flow.parameter && (/^(?:any|varying)$/.test(input.from) || (input.from === 'caller' && flow.built)));
    const isMatch =
      carries &&
      !(input.unchanged && flow.passed) &&
      !(input.containing && !new RegExp(input.containing, 'i').test(flow.text)) &&
      !(input.unlessAfter && isOnlyAfter(new RegExp(input.unlessAfter, 'i'), flow));
    if (isMatch) return { flow, isCandidate: false };
    if (isOpen) candidate ??= flow;
  }
  return candidate && { flow: candidate, isCandidate: true };
}

/** Returns whether all input follows a harmless text, such as the host of an address. */
function isOnlyAfter(harmless: RegExp, { request, ends, before }: Flow): boolean {
  const inputs = request ? ends.filter((end) => end.from === 'request') : [];
  return inputs.length > 0 ? inputs.every((end) => harmless.test(end.before)) : harmless.test(before ?? '');
}

/** Returns whether input from another file counts: with a source of its own, a rule looks at one file only. */
const mayCross = ({ from, source, whole, unchanged }: InputCondition): boolean =>
  /^(?:request|caller|any)$/.test(from) && source === undefined && !whole && !unchanged;

function selectInputs(input: InputCondition, node: SgNode, isCall: boolean): SgNode[] {
  if (input.variable !== undefined) {
    const single = node.getMatch(input.variable);
    const several = single ? [single] : node.getMultipleMatches(input.variable).filter((part) => part.isNamed());
    if (several.length > 0) return several;
  }
  // A command in backquotes has no arguments: the command itself is the argument.
  if (input.argument === undefined || !isCall) return [node];
  const keys = Array.isArray(input.argument) ? input.argument : [input.argument];
  const given = argumentsOf(node);
  return keys.flatMap((key) => {
    if (key === 'any') {
      const values = given.map((argument) => argument.value);
      return input.into === 'shell' && values.length > 1 ? choosingArguments(values) : values;
    }
    if (typeof key === 'string')
      return given.filter((argument) => argument.name === key).map((argument) => argument.value);
    const positional = given.filter((argument) => argument.name === null)[key - 1];
    return positional ? [positional.value] : [];
  });
}

/** A call in the arguments of another on the same line is the same problem: `new FileReader(new File(name))`. */
function isInSameLine(node: SgNode, outer: SgNode, isEarlier: boolean): boolean {
  if (node.id() === outer.id()) return false;
  const [inside, around] = [node.range(), outer.range()];
  const isSame = around.start.index === inside.start.index && around.end.index === inside.end.index;
  if (isSame) return isEarlier;
  return (
    around.start.line === inside.start.line &&
    around.start.index <= inside.start.index &&
    inside.end.index <= around.end.index
  );
}

/** Returns the steps from the input to the use, each with its first line of code. */
function stepsOf(trail: Trail, use: SgNode): CodeStep[] {
  const steps: CodeStep[] = [];
  for (let at: Trail | null = trail; at !== null; at = at.nearer)
    steps.push({ line: lineOf(at.node), message: at.words });
  return [...steps, { line: lineOf(use), message: usedIn(use) }];
}

const usedIn = (node: SgNode) => withCode('Used in', node.text());

function confidenceOf({ input }: RuleCheck, flow: Flow | null): Confidence {
  if (!flow || input?.from === 'source') return 'high';
  if (flow.request) return flow.passed || flow.assumed ? 'medium' : 'high';
  return flow.parameter ? 'medium' : 'low';
}

function toHit(rule: RuleCheck, node: SgNode, flow: Flow | null, source: string): CodeHit {
  const { start, end } = node.range();
  const lineStart = source.lastIndexOf('\n', start.index - 1) + 1;
  const lineEnd = source.indexOf('\n', start.index);
  const line = source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).trim();
  return {
    rule: rule.id,
    startLine: start.line + 1,
    endLine: end.line + 1,
    startColumn: start.column + 1,
    endColumn: end.column + 1,
    content: createHash('sha256').update(normalisedContent(node.text())).digest('base64url'),
    line: line.length > maxLine ? `${line.slice(0, maxLine)}…` : line,
    confidence: confidenceOf(rule, flow),
    ...(flow?.trail && { flow: stepsOf(flow.trail, node) }),
  };
}
