import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { parse, type SgNode } from '@ast-grep/napi';
import { normalisedContent } from '../../contract/fingerprint.ts';
import { choosingArguments } from './flow/commands.ts';
import { FileIndex } from './flow/file-index.ts';
import { argumentsOf } from './flow/syntax.ts';
import { FlowTracker, maxStepsOfFile } from './flow/tracker.ts';
import { type Trail, unknownValue, withCode } from './flow/value.ts';
import { languages } from './languages/index.ts';
import { inputsOf } from './languages/inputs.ts';
import type { LanguageName } from './languages/language.ts';
import { RequiredText } from './required-text.ts';
import type { CodeHit, CodeStep, InputCondition, RuleCheck } from './rule.ts';

const maxHitsOfRule = 200;
const maxHitsOfFile = 1_000;
const maxLine = 300;

/**
 * The hits in a file, and the bounds beyond which it was not checked. Each bound completes a sentence that starts with
 * the path.
 */
export type SourceCheck = { hits: CodeHit[]; bounds: string[] };

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
): SourceCheck {
  const text = content.toString(isUtf8(content) ? 'utf8' : 'latin1');
  const { template, parsers } = languages[language];
  const source = template?.extensions.includes(extension) ? template.toCode(text, extension) : text;
  if (source === '') return nothing;
  const index = new RequiredText(source);
  // Values need not be followed in a file that never mentions input of a request.
  let hasInput: boolean | null = null;
  const takesInput = () => {
    hasInput ??= inputsOf(language).anywhere.some((pattern) => pattern.test(source));
    return hasInput;
  };
  const possible = rules.filter(
    (rule) =>
      rule.language === language &&
      index.mayMatch(rule) &&
      (rule.keywords.length === 0 || rule.keywords.some((keyword) => source.includes(keyword))) &&
      (rule.fileContaining === null || new RegExp(rule.fileContaining, 'm').test(source)) &&
      (rule.input?.from !== 'request' || takesInput()),
  );
  if (possible.length === 0) return nothing;
  const parser = parsers[extension];
  if (!parser) return nothing;
  const root = parse(parser, source).root();
  const file = new FileIndex(languages[language], root, source);
  const tracker = new FlowTracker(languages[language], file, source);
  const bounds: string[] = [];
  const hits = possible.flatMap((rule) => {
    const found = root.findAll(rule.config).flatMap((node) => {
      const carried = meetsInput(tracker, file, rule.input, node);
      return carried ? [{ node, ...carried }] : [];
    });
    if (found.length > maxHitsOfRule) bounds.push(`has more than ${maxHitsOfRule} matches of ${rule.id}${onlyFirst}`);
    return found
      .slice(0, maxHitsOfRule)
      .filter(({ node }, index, all) => !all.some((outer, place) => isInSameLine(node, outer.node, place < index)))
      .map(({ node, trail }) => toHit(rule, node, trail, text));
  });
  if (hits.length > maxHitsOfFile) bounds.push(`has more than ${maxHitsOfFile} matches${onlyFirst}`);
  if (tracker.stepsOfFile > maxStepsOfFile)
    bounds.push('is too long to follow all of its values: some findings may be missing');
  hits.sort((left, right) => left.startLine - right.startLine || left.startColumn - right.startColumn);
  return { hits: hits.slice(0, maxHitsOfFile), bounds };
}

const onlyFirst = ': only the first ones are reported';

/** The flow of input into a match; null if the match does not depend on input. */
type Carried = { trail: Trail | null };

function meetsInput(tracker: FlowTracker, file: FileIndex, input: InputCondition | null, node: SgNode): Carried | null {
  const carried = carriesInput(tracker, input, node);
  if (!carried || file.isDead(node)) return null;
  return input?.into === 'path' && file.isCheckedAfter(node) ? null : carried;
}

function carriesInput(tracker: FlowTracker, input: InputCondition | null, node: SgNode): Carried | null {
  if (!input) return { trail: null };
  const source = input.source === undefined ? undefined : new RegExp(input.source, 's');
  const own = input.own === undefined ? null : new RegExp(input.own, 's');
  const except = input.except === undefined ? undefined : new RegExp(input.except);
  for (const expression of selectInputs(input, node, tracker.isCall(node))) {
    if (own && tracker.follow(expression, { source: own }).request) continue;
    const flow = tracker.follow(expression, { into: input.into, source, except, whole: input.whole });
    const isVarying = input.from === 'varying' && (flow.text === '' || flow.text.includes(unknownValue));
    const carries =
      flow.request ||
      isVarying ||
      (flow.parameter && (/^(?:any|varying)$/.test(input.from) || (input.from === 'caller' && flow.built)));
    if (!carries || (input.unchanged && flow.passed)) continue;
    if (input.containing && !new RegExp(input.containing, 'i').test(flow.text)) continue;
    if (input.unlessAfter && new RegExp(input.unlessAfter, 'i').test(flow.before ?? '')) continue;
    return { trail: flow.trail };
  }
  return null;
}

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
    steps.push({ line: at.node.range().start.line + 1, message: at.words });
  return [...steps, { line: use.range().start.line + 1, message: withCode('Used in', use.text()) }];
}

function toHit(rule: RuleCheck, node: SgNode, trail: Trail | null, source: string): CodeHit {
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
    ...(trail && { flow: stepsOf(trail, node) }),
  };
}
