import { isRecord, textOf, type Value } from '../value.ts';
import { readTemplate } from './expression.ts';
import type { Expression } from './expression-scanner.ts';
import {
  boundedResult,
  EvaluationError,
  fullFunctions,
  isUnknownText,
  partialFunctions,
  UnknownValue,
} from './functions.ts';

/**
 * Names of a scope and their values, computed on demand. Missing names are unknown: resources, data and everything else
 * that exists only when Terraform runs.
 */
export type Scope = {
  lookup(name: string, key: string | null): Value | undefined;
  /** Counts down with each step; evaluation gives up at 0, and everything else is unknown. */
  budget: { steps: number };
};

const unknown = (expression: Expression): string => `\${${expression.text}}`;
const maxElements = 1_000;

/**
 * Returns a value of a parsed file with its expressions evaluated. Parts that are known only when Terraform runs stay
 * `${…}`.
 */
export function evaluateText(text: string, scope: Scope): Value {
  if (!text.includes('${') && !text.includes('%{')) return text;
  let expression: Expression;
  try {
    expression = readTemplate(text);
  } catch {
    return text.includes('${') ? text : `\${${text}}`;
  }
  try {
    return evaluate(expression, scope);
  } catch {
    return isUnknownText(text) ? text : unknown(expression);
  }
}

/** Returns the value of an expression without references; with references, its text as an unknown value. */
export function evaluateConstant(expression: Expression): Value {
  try {
    return evaluate(expression, { budget: { steps: maxElements }, lookup: () => undefined });
  } catch {
    return unknown(expression);
  }
}

function evaluate(expression: Expression, scope: Scope): Value {
  if (--scope.budget.steps < 0) throw new UnknownValue();
  switch (expression.type) {
    case 'literal':
      return expression.value;
    case 'template':
      return evaluateTemplate(expression.parts, scope);
    case 'name':
      return valueOr(scope.lookup(expression.name, null), expression);
    case 'member':
      return evaluateMember(expression, scope);
    case 'splat': {
      const of = evaluate(expression.of, scope);
      if (isUnknownText(of)) return unknown(expression);
      return (Array.isArray(of) ? of : of === null ? [] : [of]).map((item) =>
        expression.path.reduce((here: Value, key) => memberOf(here, evaluate(key, scope), expression), item),
      );
    }
    case 'list':
      return boundedResult(expression.items.map((item) => evaluate(item, scope)));
    case 'object':
      return boundedResult(
        Object.fromEntries(
          expression.entries.map(([key, value]) => [textOf(evaluate(key, scope)), evaluate(value, scope)]),
        ),
      );
    case 'condition':
      return evaluateCondition(expression, scope);
    case 'call':
      return evaluateCall(expression, scope);
    case 'for':
      return evaluateFor(expression, scope);
    case 'binary':
      return evaluateBinary(expression, scope);
    default: {
      const of = evaluate(expression.of, scope);
      if (isUnknownText(of)) return unknown(expression);
      return expression.type === 'not' ? textOf(of) !== 'true' : -Number(of);
    }
  }
}

const valueOr = (value: Value | undefined, expression: Expression) =>
  value === undefined ? unknown(expression) : value;

function evaluateTemplate(parts: Expression[], scope: Scope): Value {
  const values = parts.map((part) => {
    const value = evaluate(part, scope);
    return typeof value === 'object' ? unknown(part) : textOf(value);
  });
  boundedResult(values);
  return values.join('');
}

function evaluateMember(expression: Expression & { type: 'member' }, scope: Scope): Value {
  const { of, key } = expression;
  if (of.type === 'name' && key.type === 'literal') {
    const value = scope.lookup(of.name, textOf(key.value));
    if (value !== undefined) return value;
  }
  return memberOf(evaluate(of, scope), evaluate(key, scope), expression);
}

function memberOf(of: Value, key: Value, expression: Expression): Value {
  if (isUnknownText(of) || isUnknownText(key)) return unknown(expression);
  if (typeof of === 'object' && of !== null && Object.hasOwn(of, textOf(key))) {
    return (of as Record<string, Value>)[textOf(key)] ?? null;
  }
  throw new EvaluationError('no such member');
}

function evaluateCondition({ test, yes, no, text }: Expression & { type: 'condition' }, scope: Scope): Value {
  const decided = evaluate(test, scope);
  if (!isUnknownText(decided)) return evaluate(textOf(decided) === 'true' ? yes : no, scope);
  const [first, second] = [evaluate(yes, scope), evaluate(no, scope)];
  return JSON.stringify(first) === JSON.stringify(second) ? first : `\${${text}}`;
}

function evaluateCall(expression: Expression & { type: 'call' }, scope: Scope): Value {
  const { name, args, spreads } = expression;
  if (name === 'try' || name === 'can') {
    for (const arg of args) {
      try {
        const value = evaluate(arg, scope);
        return name === 'can' && !isUnknownText(value) ? true : value;
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
      }
    }
    if (name === 'can') return false;
    throw new EvaluationError('nothing can be evaluated');
  }
  const partial = Object.hasOwn(partialFunctions, name) ? partialFunctions[name] : undefined;
  const full = Object.hasOwn(fullFunctions, name) ? fullFunctions[name] : undefined;
  const call = partial ?? full;
  if (!call) return unknown(expression);
  let values = args.map((arg) => evaluate(arg, scope));
  if (spreads) {
    const last = values.at(-1);
    if (!Array.isArray(last) || last.length > maxElements) return unknown(expression);
    values = [...values.slice(0, -1), ...last];
  }
  // A reference in place of a whole list or map is unknown; unknown parts of lists and maps are kept.
  if (values.some(isUnknownText)) return unknown(expression);
  boundedResult(values);
  try {
    return boundedResult(call(...values) ?? null);
  } catch (error) {
    if (error instanceof UnknownValue || error instanceof SyntaxError) return unknown(expression);
    throw error;
  }
}

/** Returns the keys and values of a list, set or map, or null if they are unknown or too many. */
export function elementsOf(value: Value): Array<[Value, Value]> | null {
  const entries: Array<[Value, Value]> | null = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : isRecord(value)
      ? Object.entries(value)
      : null;
  return entries && entries.length <= maxElements ? entries : null;
}

function evaluateFor(expression: Expression & { type: 'for' }, scope: Scope): Value {
  const { names, over, key, value, test } = expression;
  const elements = elementsOf(evaluate(over, scope));
  if (!elements) return unknown(expression);
  const results: Array<[string, Value]> = [];
  for (const [elementKey, element] of elements) {
    const bound = names.length > 1 ? { [names[0]!]: elementKey, [names[1]!]: element } : { [names[0]!]: element };
    const inner = withNames(scope, bound);
    const isTaken = test === null ? true : evaluate(test, inner);
    if (isUnknownText(isTaken)) return unknown(expression);
    if (textOf(isTaken) !== 'true') continue;
    results.push([key === null ? '' : textOf(evaluate(key, inner)), evaluate(value, inner)]);
  }
  return boundedResult(key === null ? results.map(([, result]) => result) : Object.fromEntries(results));
}

/** Returns a scope with additional names: variables of `for`, `each`, `count`, and iterators of dynamic blocks. */
export const withNames = (scope: Scope, names: Record<string, Value>): Scope => ({
  ...scope,
  lookup(name, key) {
    if (!Object.hasOwn(names, name)) return scope.lookup(name, key);
    return key === null ? names[name] : undefined;
  },
});

function evaluateBinary(expression: Expression & { type: 'binary' }, scope: Scope): Value {
  const { operator } = expression;
  const left = evaluate(expression.left, scope);
  const decides = operator === '&&' ? 'false' : operator === '||' ? 'true' : null;
  if (decides !== null && textOf(left) === decides) return decides === 'true';
  const right = evaluate(expression.right, scope);
  if (decides !== null && textOf(right) === decides) return decides === 'true';
  if (isUnknownText(left) || isUnknownText(right)) return unknown(expression);
  const [a, b] = [Number(left), Number(right)];
  switch (operator) {
    case '&&':
    case '||':
      return textOf(right) === 'true';
    case '==':
    case '!=': {
      const [first, second] = [JSON.stringify(left), JSON.stringify(right)];
      // Unknown parts may be equal or not.
      if (first !== second && (first.includes('${') || second.includes('${'))) return unknown(expression);
      return (first === second || (textOf(left) !== '' && textOf(left) === textOf(right))) === (operator === '==');
    }
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    case '>=':
      return a >= b;
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      return a % b;
  }
}
