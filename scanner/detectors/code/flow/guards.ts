import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { findKinds, isWithin, kindOf, type Span, spanOf } from './syntax.ts';

/** Words by which the default case leaves what follows. */
const leavingSwitch = /\b(?:return|throw|raise|abort\w*|exit|die|panic|continue|next|halt|fail|reject|head)\b/;
const switchKinds = ['switch_statement', 'switch_expression', 'expression_switch_statement', 'case', 'match_statement'];
const cases =
  /^(?:switch_block_statement_group|switch_rule|switch_case|switch_section|case_statement|case_clause|expression_case|when)$/;
const defaults = /^(?:switch_default|default_statement|default_case|else)$/;

/** A `switch`: the text of what it compares, and where its cases are. */
type Switch = Span & { subject: string; cases: Span[]; hasLeavingDefault: boolean };

/** Finds whether a `switch` compared a value before its use: the use is in a case, or the default case leaves. */
class SwitchGuards {
  readonly #switches: Switch[];

  constructor(language: Language, root: SgNode, source: string) {
    this.#switches = /\b(?:switch|case|match)\b/.test(source)
      ? findKinds(language, root, switchKinds).map(readSwitch)
      : [];
  }

  isChecked(name: string, scope: Span, use: Span): boolean {
    return this.#switches.some(
      (one) =>
        one.subject === name &&
        isWithin(one, scope) &&
        (one.end <= use.start ? one.hasLeavingDefault : one.cases.some((own) => isWithin(use, own))),
    );
  }
}

function readSwitch(node: SgNode): Switch {
  const fields = ['value', 'condition', 'subject'];
  const subject = fields.map((field) => node.field(field)).find((field) => field !== null) ?? node.namedChildren()[0];
  const body = node.field('body');
  const parts = (body ?? node).namedChildren();
  const isDefault = (part: SgNode) =>
    defaults.test(kindOf(part)) ||
    (cases.test(kindOf(part)) && /^\s*(?:default\b|case\s+_\s*:|_\s*=>)/.test(part.text()));
  return {
    ...spanOf(node),
    subject: subject?.text().replace(/^\(\s*(.*?)\s*\)$/s, '$1') ?? '',
    cases: parts.filter((part) => cases.test(kindOf(part)) && !isDefault(part)).map(spanOf),
    hasLeavingDefault: parts.some((part) => isDefault(part) && leavingSwitch.test(part.text())),
  };
}

const checks =
  '(?:includes|has|has_key|test|match|matches|fullmatch|contains|containsKey|ContainsKey|Contains|is_numeric|ctype_\\w+|startsWith|StartsWith|HasPrefix|startswith|start_with\\?|include\\?|key\\?|match\\?|MatchString|IsMatch|hasOwn(?:Property)?|IsLocalUrl|str_starts_with|strncmp|strncasecmp|substr_compare|commonpath|commonprefix|url_has_allowed_host_and_scheme|is_relative_to|isValid\\w*|is_valid\\w*|is_safe\\w*|isSafe\\w*|validate\\w*|Validate\\w*|IsValid\\w*|isAllowed\\w*|is_allowed\\w*|IsLocal|preg_match|TryParse|validator\\.is\\w+|valid\\w*\\?|allowed\\w*\\?|filter_var)';
const methods =
  '(?:startswith|startsWith|StartsWith|start_with\\?|matches|match\\?|match|isdigit|isalnum|isidentifier|is_relative_to|IsWellFormedUriString)';

/**
 * Checks that a value is a member of something. Where such a condition is not negated, members leave: a list of what is
 * refused.
 */
const membership =
  '(?:includes|has|has_key|contains|containsKey|ContainsKey|Contains|include\\?|key\\?|hasOwn(?:Property)?|in_array|array_key_exists)';
/** Functions that return where a path lies, seen from another. */
const relating = '(?:path\\.relative|filepath\\.Rel|GetRelativePath|relativize|relative_path_from|relpath)';
/** Parts of addresses and paths, which are checked instead of the whole. */
const parsers = `(?:urlparse|urlsplit|parse_url|url\\.Parse|URI\\.parse|URI\\.create|new\\s+(?:java\\.net\\.)?(?:URL|Uri|URI)|realpath|normalize|toRealPath|getCanonicalPath|resolve|abspath|GetFullPath|expand_path|filepath\\.Clean|filepath\\.Abs|Path|${relating})`;

/** Parts of an address that say where it leads. */
const hosts =
  '(?:netloc|origin|host|hostname|Host|getHost\\(\\)|Hostname\\(\\)|is_absolute\\(\\)|isAbsolute\\(\\)|IsAbs\\(\\)|absolute\\?)';

/** A condition, and what depends on it. */
type Condition = Span & {
  /** The text of the condition itself, and of the branches. */
  test: string;
  branches: string;
  /** Whether the condition is that of an `unless`. */
  isNegated: boolean;
  /** The branch that runs where the condition doesn't hold. */
  alternative: Span | null;
  /** The function around it; null for the file. */
  within: Span | null;
};

const kinds = [
  ...['if_statement', 'if', 'unless', 'elsif', 'elif_clause', 'else_if_clause', 'if_modifier', 'unless_modifier'],
  ...['while_statement', 'while', 'while_modifier', 'conditional', 'ternary_expression', 'conditional_expression'],
];

/** Words by which a branch leaves what follows: the value did not pass the condition. */
const leaving =
  /\b(?:return|throw|raise|abort\w*|exit|die|panic|continue|break|next|redirect\w*|halt|fail|reject|Fatal\w*|NotFound|BadRequest|Forbid|Unauthorized)\b/;

const maxText = 2_000;
const maxBefore = 20_000;
const escaped = (name: string) => name.replace(/[$\\^.*+?()[\]{}|]/g, '\\$&');
const wholeName = (name: string) => `(?<![\\w$])${escaped(name)}(?!\\w)`;

/** Returns a pattern for text that checks a value against a list, a pattern or a prefix; `byType`: or its type. */
function checkOf(whole: string, byType: boolean): RegExp {
  return new RegExp(
    [
      // Only values with, or without, these characters pass.
      `${whole}\\??\\.(?:contains|includes|include\\?|Contains|indexOf|IndexOf|index)\\s*\\(\\s*["'](?:\\.\\.|/|\\\\|['"])`,
      `\\b(?:str(?:r|i)?pos|str_contains|strstr|strings\\.Contains(?:Any)?)\\s*\\(\\s*${whole}\\s*,\\s*["'](?:\\.\\.|/|\\\\)`,
      `(["'])(?:\\.\\./?|/|\\\\?['"])\\1\\s*(?:not\\s+)?in\\s+${whole}`,
      // Only what begins so passes.
      `\\bstr(?:r|i)?pos\\s*\\(\\s*${whole}\\s*,[^;\\n)]{1,60}\\)\\s*[!=]==?\\s*0`,
      `\\b0\\s*[!=]==?\\s*str(?:r|i)?pos\\s*\\(\\s*${whole}\\s*,`,
      `\\bsubstr\\s*\\(\\s*${whole}\\s*,\\s*0\\s*,[^;\\n]{0,60}\\)\\s*[!=]==?`,
      `${whole}\\s*\\[\\s*(?:0\\s*,|0?\\s*:|0\\s*\\.\\.)[^\\]\\n]{0,60}\\]\\s*[!=]=`,
      `${whole}\\??\\.(?:indexOf|IndexOf)\\s*\\([^;\\n)]{1,60}\\)\\s*[!=]==?\\s*0`,
      `${relating}\\s*\\([^;\\n)]{0,80}${whole}[^;\\n)]{0,80}\\)\\s*\\.${methods}`,
      `\\bin\\s+${whole}\\.parents\\b`,
      // Only one value passes.
      `(?<!\\btypeof\\s+)${whole}\\s*(?:!==?|===?)\\s*["'][^"']+["']`,
      `${whole}(?:\\.|->)${hosts}`,
      `\\b(?:urlparse|urlsplit|new\\s+URL|url\\.parse)\\s*\\([^;\\n)]{0,40}${whole}[^;\\n)]{0,40}\\)\\s*\\.${hosts}`,
      `["']\\.equals(?:IgnoreCase)?\\s*\\(\\s*${whole}\\s*\\)`,
      // Go's maps and others: `allowed[name]`.
      `[$@]?\\w*(?:[aA]llow|[wW]hitelist|[vV]alid|[sS]afe|[pP]ermitted|[kK]nown)\\w*\\[\\s*${whole}\\s*\\]`,
      `\\b${checks}\\s*[(\\s]\\s*[^;\\n]{0,80}${whole}`,
      // The first argument is what is looked for, the second is where.
      `\\b(?:in_array|array_key_exists)\\s*\\(\\s*${whole}`,
      `${whole}\\s*(?:not\\s+)?in\\s+[\\w(\\[{]`,
      `${whole}(?:\\??\\.\\w+\\(\\))*\\??\\.${methods}(?![\\w])`,
      `${whole}\\s*=~`,
      ...(byType ? [`\\btypeof\\s+${whole}`] : []),
    ].join('|'),
  );
}

/** Returns whether a text checks the value of a name. */
export const checksText = (name: string, text: string) => checkOf(wholeName(name), false).test(text.slice(0, maxText));

/**
 * Finds whether a condition checked a value before its use: the use is in one of its branches, or a branch leaves the
 * function or replaces the value. Compares text, a heuristic that prefers missed problems to false alarms; whether
 * the check is the right one is not judged.
 */
export class Guards {
  readonly #source: string;
  readonly #conditions: Condition[];
  /** Whether the file takes addresses or paths apart at all. */
  readonly #parses: boolean;
  readonly #switches: SwitchGuards;
  readonly #known = new Map<string, boolean>();

  constructor(language: Language, root: SgNode, source: string) {
    this.#source = source;
    this.#parses = new RegExp(parsers).test(source);
    this.#switches = new SwitchGuards(language, root, source);
    const nodes = findKinds(language, root, [...kinds, ...language.binaries]);
    this.#conditions = nodes.flatMap((node) => conditionOf(language, node) ?? []);
  }

  /**
   * Returns whether the value of `name`, which is a variable or an expression, was checked before `use` in `scope`.
   * `byType`: whether it is enough to check that it is text.
   */
  isChecked(name: string, scope: Span, use: Span, byType = false): boolean {
    const key = `${scope.start} ${use.start} ${use.end} ${byType} ${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // A check is near: in a long file, all before the use would take seconds.
    const near = this.#source.slice(Math.max(scope.start, use.start - maxBefore), use.start);
    // A call whose arguments begin in the next line.
    const before = near.replaceAll(/\([ \t]*\r?\n\s*/g, '(');
    const parts = this.#parses ? partsOf(before, name) : [];
    const isChecked =
      this.#switches.isChecked(name, scope, use) ||
      (before.includes(name) &&
        [wholeName(name), ...parts].some((whole) =>
          this.#isGuarded(name, whole, checkOf(whole, byType), before, scope, use),
        ));
    this.#known.set(key, isChecked);
    return isChecked;
  }

  #isGuarded(name: string, whole: string, check: RegExp, before: string, scope: Span, use: Span): boolean {
    if (isAsserted(before, whole, check)) return true;
    if (!check.test(before)) return false;
    const earlier = this.#conditions.filter(({ start, within }) => {
      const isSameFunction = within === null || (within.start <= use.start && use.end <= within.end);
      return start >= scope.start && start < use.start && isSameFunction;
    });
    const results = resultsOf(before, check);
    for (const condition of earlier) {
      const tests = check.test(condition.test) || results.some((result) => result.test(condition.test));
      if (tests && guards(condition, name, whole, use)) return true;
      // `if (list.includes(name)) ok = true; if (!ok) return;`
      if (tests) results.push(...flagsOf(condition.branches));
    }
    return false;
  }
}

function conditionOf(language: Language, node: SgNode): Condition | null {
  const isBinary = language.binaries.includes(String(node.kind()));
  if (isBinary && !/^(?:&&|\|\||and|or)$/.test(node.field('operator')?.text() ?? '')) return null;
  // Python's `a if condition else b` has no fields.
  const test = isBinary ? node.field('left') : (node.field('condition') ?? node.namedChildren()[1]);
  if (!test) return null;
  const whole = spanOf(node);
  const { start, end } = spanOf(test);
  const text = node.text();
  const branches = `${text.slice(0, start - whole.start)}\n${text.slice(end - whole.start)}`;
  const around = node.ancestors().find((ancestor) => language.functions.includes(String(ancestor.kind())));
  return {
    ...whole,
    test: test.text().slice(0, maxText),
    branches: branches.slice(0, maxText),
    isNegated: String(node.kind()).startsWith('unless'),
    alternative: alternativeOf(node),
    within: around ? spanOf(around) : null,
  };
}

function alternativeOf(node: SgNode): Span | null {
  const isPython = node.field('condition') === null && /^conditional/.test(String(node.kind()));
  const alternative = node.field('alternative') ?? (isPython ? node.namedChildren()[2] : null);
  return alternative ? spanOf(alternative) : null;
}

function guards(condition: Condition, name: string, whole: string, use: Span): boolean {
  const { start, end, test, branches, isNegated } = condition;
  if (start <= use.start && use.end <= end) return !isOtherValue(condition, whole, use);
  if (end > use.start) return false;
  const isLeft = leaving.test(branches) || new RegExp(`${wholeName(name)}\\s*:?=(?!=)`).test(branches);
  return isLeft && (isNegated || negation.test(test) || !isMember(whole).test(test));
}

/** Returns whether a value is used where it is not the one that it is compared with: `p === 'a' ? '' : p`. */
function isOtherValue({ test, alternative, isNegated }: Condition, whole: string, use: Span): boolean {
  const operator = new RegExp(`^\\(?\\s*${whole}\\s*(!==?|===?)\\s*["'][^"']*["']\\s*\\)?$`).exec(test)?.[1];
  if (operator === undefined || isNegated) return false;
  const isInAlternative = alternative !== null && isWithin(use, alternative);
  return operator.startsWith('=') ? isInAlternative : alternative !== null && !isInAlternative;
}

const negation = /(?<![=!<>])!(?!=)|\bnot\b|!==?|===?\s*(?:false|-1)|<\s*0/;
const isMember = (whole: string) =>
  new RegExp(
    `\\b${membership}\\s*\\((?!\\s*${whole}\\s*,\\s*["'])[^;\\n"']{0,80}${whole}|${whole}\\s*in\\s+[\\w(\\[{]|${whole}\\s*===?\\s*["']|["']\\.equals\\w*\\s*\\(\\s*${whole}`,
  );

/** Returns patterns for the parts of a value that may be checked instead: `const url = new URL(name)`, `url.host`. */
function partsOf(before: string, name: string): string[] {
  const own = wholeName(name);
  const parsed = new RegExp(
    `([$@\\w]+)(?:,\\s*\\w+)?\\s*:?=\\s*[^;]*(?:${parsers}[^;]*${own}|${own}[^;]*\\.${parsers})`,
  );
  const lines = before.split('\n').filter((line) => line.length < maxText && line.includes(name));
  return lines.flatMap((line) => {
    const match = parsed.exec(line);
    if (!match) return [];
    const part = escaped(match[1]!);
    return `(?<![\\w$])(?:${part}(?:(?:\\.|->)\\w+(?:\\(\\))?|\\[["']\\w+["']\\])?|str\\(${part}\\))(?!\\w)`;
  });
}

const isAsserted = (before: string, whole: string, check: RegExp) =>
  // pathlib raises an error for a path outside of the other.
  (before.includes('.relative_to(') && new RegExp(`${whole}\\.relative_to\\(`).test(before)) ||
  before
    .split('\n')
    .some(
      (line) => /^\s*(?:assert\w*|abort_\w+|throw_\w+|when|case)\b/.test(line) && check.test(line.slice(0, maxText)),
    );

/** Returns patterns for the variables that hold the result of a check: `const ok = list.includes(name)`. */
function resultsOf(before: string, check: RegExp): RegExp[] {
  return before.split('\n').flatMap((line) => {
    const assigned = /^\s*(?:(?:const|let|var|final|bool|boolean)\s+)?([$\w]+)\s*:?=(?![=>])/.exec(line)?.[1];
    return assigned && check.test(line.slice(0, maxText)) ? [new RegExp(wholeName(assigned))] : [];
  });
}

/** Returns patterns for the flags that a branch sets. */
const flagsOf = (branches: string): RegExp[] =>
  [...branches.matchAll(/([$\w]+)\s*:?=\s*(?:true|false|1|0)\b/gi)].map((match) => new RegExp(wholeName(match[1]!)));
