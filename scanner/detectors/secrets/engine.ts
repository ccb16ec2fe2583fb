import { RE2JS } from 're2js';
import { entropy } from './entropy.ts';
import { analysePattern, type PatternShape, toJavaScript } from './pattern.ts';
import { isServiceDefault } from './placeholders.ts';
import { createPrefilter } from './prefilter.ts';
import { mergeRanges, redactedLine, redactedText, shownPrefix } from './redact.ts';
import type { SecretRule } from './rule.ts';
import { fromByteText, searchableBytes, toByteText } from './text.ts';

/**
 * A window: the range of the blob that a rule searches. It is one byte longer than the rule's longest match, so that
 * the cut creates no word boundary or line start.
 */
type Window = { rule: number; start: number; end: number };

/**
 * The reach of unbounded patterns: they match within this many bytes of a keyword (a PEM block of a 16384-bit key has
 * 12 KB).
 */
const reachWithinLine = 4096;
const reachAcrossLines = 16_384;
/**
 * Neighbouring windows merge up to this size, or four times the rule's reach, so that the bytes between crowded
 * keywords are searched three times at most. A slow pattern never gets a large text at once.
 */
const maxWindow = 16_384;

type WindowCollector = {
  /** Hits must be added in the order of their ends. */
  add(rule: number, start: number, end: number): void;
  finish(): Window[];
};

/**
 * Collects the ranges around the keywords for every rule. Takes time linear in the size of the blob, regardless of its
 * lines.
 */
function collectWindows(content: Uint8Array, compile: (rule: number) => CompiledRule): WindowCollector {
  const pending = new Map<number, Window>();
  const windows: Window[] = [];
  let lineStart = 0;
  let lineEnd = -1;

  function moveToLine(offset: number): void {
    if (offset <= lineEnd) return;
    const before = content.subarray(Math.max(lineEnd, 0), offset).lastIndexOf(10);
    lineStart = before === -1 ? Math.max(lineEnd, 0) : Math.max(lineEnd, 0) + before + 1;
    const next = content.indexOf(10, offset);
    lineEnd = next === -1 ? content.length : next;
  }

  return {
    add(rule, start, end) {
      const { rule: of, shape, reach } = compile(rule);
      if (of.anchored) {
        windows.push({ rule, start, end });
        return;
      }
      let from = Math.max(0, end - reach - 1);
      let to = Math.min(content.length, start + reach + 1);
      if (!shape.crossesLines) {
        moveToLine(start);
        from = Math.max(from, lineStart);
        to = Math.min(to, lineEnd);
      }
      const last = pending.get(rule);
      if (last && from <= last.end && to - last.start <= Math.max(maxWindow, 4 * reach)) {
        last.end = Math.max(last.end, to);
        last.start = Math.min(last.start, from);
        return;
      }
      if (last) windows.push(last);
      pending.set(rule, { rule, start: from, end: to });
    },
    finish: () => [...windows, ...pending.values()],
  };
}

/** A secret at a location. Lines and columns count from 1 (columns in UTF-16 units); the end column is exclusive. */
export type SecretHit = {
  rule: SecretRule;
  /** In plain text: hash it (see identity.ts) and discard it. */
  secret: string;
  startLine: number;
  endLine: number;
  startColumn: number;
  endColumn: number;
  /** The line with all secrets redacted, at most 200 characters. */
  evidence: string;
  /** The reason and the line of a comment that accepts the risk here. */
  ignored?: { reason: string; line: number };
};

export type SecretEngine = {
  keywords: string[];
  /**
   * Returns all secrets in a blob, by location. `path` is the repository path, with `/`. Never throws on any content.
   */
  find(content: Uint8Array, path: string): SecretHit[];
  /**
   * Returns a blob as text in which every secret is redacted and each line keeps its number; null for binary content.
   */
  redact(content: Uint8Array, path: string): string | null;
  /**
   * Returns false if `find` can't find anything for this path or, without a path, for any path except by rules that
   * depend only on the path.
   */
  mayContainSecret(content: Uint8Array, path?: string): boolean;
};

type Candidate = { rule: SecretRule; order: number; generic: boolean; start: number; end: number };

/** A rule that searches for a keyword. If `exact` is not null, the keyword must occur in exactly that form. */
type KeywordUse = { rule: number; exact: Buffer | null };

const useOf = (rule: number, keyword: string): KeywordUse => ({
  rule,
  exact: keyword === keyword.toLowerCase() ? null : Buffer.from(keyword, 'latin1'),
});

function endsWith(content: Uint8Array, end: number, keyword: Uint8Array): boolean {
  const start = end - keyword.length;
  for (let at = 0; at < keyword.length; at += 1) if (content[start + at] !== keyword[at]) return false;
  return true;
}

/** Bytes of a file that rules without keywords read. */
const keywordlessReach = 65_536;
/** A blob with more candidates is a data set, not a leak. The rest is left out to limit memory. */
const maxCandidates = 20_000;

/**
 * Compiles a rule when one of its keywords is found for the first time: all of them take 100 ms. Throws then if a pattern
 * can't run safely. Share one engine: it has no state between blobs. Measured with 519 rules on 400 MB of JavaScript,
 * Python and documentation: 51-66 MB/s per core, including the first use of the patterns.
 */
export function createSecretEngine(rules: SecretRule[]): SecretEngine {
  const compiled = rules.map((): CompiledRule | null => null);
  const compile = (index: number): CompiledRule => (compiled[index] ??= compileRule(rules[index]!));
  const keywords = [...new Set(rules.flatMap((rule) => rule.keywords.map((keyword) => keyword.toLowerCase())))];
  const prefilter = createPrefilter(keywords);
  const byKeyword = new Map<string, KeywordUse[]>(keywords.map((keyword) => [keyword, []]));
  for (const [index, rule] of rules.entries())
    for (const keyword of new Set(rule.keywords)) byKeyword.get(keyword.toLowerCase())!.push(useOf(index, keyword));
  const usesOf = [...byKeyword.values()];
  const keywordless = rules.flatMap((rule, index) => (rule.keywords.length === 0 ? [index] : []));

  /**
   * Whether each rule applies to the path, -1 while unknown. Shared by all blobs, since an array for each line of a
   * result file is expensive.
   */
  const open = new Int8Array(rules.length).fill(-1);

  function windowsOf(content: Uint8Array, path: string): Window[] {
    const collector = collectWindows(content, compile);
    const asked: number[] = [];
    prefilter.scan(content, (keyword, end) => {
      for (const { rule, exact } of usesOf[keyword]!) {
        if (exact && !endsWith(content, end, exact)) continue;
        if (open[rule] === -1) {
          open[rule] = rules[rule]!.path?.test(path) === false ? 0 : 1;
          asked.push(rule);
        }
        if (open[rule] === 1) collector.add(rule, end - keywords[keyword]!.length, end);
      }
      return true;
    });
    for (const rule of asked) open[rule] = -1;
    const whole = { start: 0, end: Math.min(content.length, keywordlessReach) };
    const byPath = keywordless.filter((rule) => rules[rule]!.path?.test(path));
    return [...collector.finish(), ...byPath.map((rule) => ({ rule, ...whole }))];
  }

  function candidatesIn(bytes: Uint8Array, path: string): { text: string; candidates: Candidate[] } {
    const windows = windowsOf(bytes, path);
    const text = windows.length > 0 ? toByteText(bytes) : '';
    const candidates: Candidate[] = [];
    for (const window of windows) {
      if (candidates.length >= maxCandidates) break;
      matchWindow(compile(window.rule), window, text, path, candidates);
    }
    return { text, candidates };
  }

  return {
    keywords,
    mayContainSecret(content, path) {
      const bytes = searchableBytes(content);
      if (!bytes) return false;
      let found = path !== undefined && keywordless.some((rule) => rules[rule]!.path?.test(path));
      if (!found) {
        prefilter.scan(bytes, (keyword, end) => {
          found = usesOf[keyword]!.some(({ exact }) => !exact || endsWith(bytes, end, exact));
          return !found;
        });
      }
      return found;
    },
    find(content, path) {
      const bytes = searchableBytes(content);
      if (!bytes) return [];
      const { text, candidates } = candidatesIn(bytes, path);
      return candidates.length ? toHits(bytes, text, candidates) : [];
    },
    redact(content, path) {
      const bytes = searchableBytes(content);
      if (!bytes) return null;
      const { candidates } = candidatesIn(bytes, path);
      return redactedText(toByteText(bytes), mergeRanges(candidates));
    },
  };
}

function matchWindow(rule: CompiledRule, window: Window, text: string, path: string, candidates: Candidate[]): void {
  const anchored = rule.rule.anchored === true;
  const base = anchored ? 0 : window.start;
  const slice = anchored ? text : text.slice(window.start, window.end);
  let from = anchored ? window.start : 0;
  while (from <= slice.length) {
    const match = rule.match(slice, from);
    if (!match) return;
    const matchStart = base + match.start;
    const start = base + match.secretStart;
    const end = base + match.secretEnd;
    const accepted = isAccepted(rule.rule, { text, matchStart, start, end, path });
    if (accepted)
      candidates.push({ rule: rule.rule, order: window.rule, generic: rule.rule.generic === true, start, end });
    if (anchored) return;
    from = accepted ? Math.max(match.secretEnd, match.start + 1) : Math.max(match.secretStart, match.start + 1);
  }
}

/**
 * Returns whether the value ends in an ellipsis: `token: Zp3cHy6m...` in a document. The text has one character per
 * byte.
 */
const isCutOff = (text: string, end: number): boolean =>
  /^(?:\.{3}|\u00e2\u0080\u00a6)(?:[\s"'`<,;)\]}]|$)/.test(text.slice(end, end + 4));

function isAccepted(
  rule: SecretRule,
  place: { text: string; matchStart: number; start: number; end: number; path: string },
): boolean {
  if (place.end <= place.start) return false;
  const secret = fromByteText(place.text.slice(place.start, place.end));
  if (rule.generic && (isCutOff(place.text, place.end) || isServiceDefault(secret, place.path))) return false;
  if (rule.minEntropy !== undefined && entropy(secret) < rule.minEntropy) return false;
  if (rule.verify && !rule.verify(secret)) return false;
  return !rule.accept || rule.accept({ ...place, secret });
}

function toHits(content: Uint8Array, text: string, candidates: Candidate[]): SecretHit[] {
  const ranges = mergeRanges(candidates);
  const positionOf = createPositionReader(content);
  return removeOverlaps(candidates).map((candidate) => {
    const start = positionOf(candidate.start);
    const end = positionOf(candidate.end);
    const secret = fromByteText(text.slice(candidate.start, candidate.end));
    const shown = { start: candidate.start, end: candidate.end, prefix: shownPrefix(candidate.rule, secret) };
    return {
      rule: candidate.rule,
      secret,
      startLine: start.line,
      endLine: end.line,
      startColumn: start.column,
      endColumn: end.column,
      evidence: redactedLine(text, start.lineStart, shown, ranges),
    };
  });
}

/** Lines and columns count from 1, columns in UTF-16 units; `lineStart` is a byte offset. */
type Position = { line: number; column: number; lineStart: number };

/** Finds the positions of ascending byte offsets in one pass over the blob, regardless of the length of its lines. */
function createPositionReader(content: Uint8Array): (offset: number) => Position {
  let line = 1;
  let column = 1;
  let lineStart = 0;
  let at = 0;
  let newline = content.indexOf(10);
  return (offset) => {
    while (newline !== -1 && newline < offset) {
      line += 1;
      column = 1;
      lineStart = newline + 1;
      at = lineStart;
      newline = content.indexOf(10, at);
    }
    for (; at < offset; at += 1) column += unitsOf(content[at]!);
    return { line, column, lineStart };
  };
}

/** Returns the UTF-16 units that a UTF-8 byte starts: 0 for a continuation byte, 2 beyond the basic plane. */
function unitsOf(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 0;
  return byte >= 0xf0 ? 2 : 1;
}

/** The properties that decide between candidates at one location. Offsets count from 0; the end is exclusive. */
type Ranged = { start: number; end: number; generic: boolean; order: number };

/**
 * Keeps one candidate per location: a distinct format wins over an assignment, then the longer text, then the earlier
 * rule. Returns the remaining ones by location.
 */
function removeOverlaps<T extends Ranged>(candidates: T[]): T[] {
  const ranked = candidates.toSorted(
    (left, right) =>
      Number(left.generic) - Number(right.generic) ||
      right.end - right.start - (left.end - left.start) ||
      left.order - right.order ||
      left.start - right.start,
  );
  const kept: T[] = [];
  for (const candidate of ranked) {
    const at = insertionPlace(kept, candidate.start);
    const before = kept[at - 1];
    const after = kept[at];
    if ((before && before.end > candidate.start) || (after && after.start < candidate.end)) continue;
    kept.splice(at, 0, candidate);
  }
  return kept;
}

function insertionPlace(sorted: Ranged[], start: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.start <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Offsets of a match and of the secret in it. They count from 0; the end is exclusive. */
type Match = { start: number; secretStart: number; secretEnd: number };

type CompiledRule = {
  rule: SecretRule;
  shape: PatternShape;
  reach: number;
  /** Returns the first match at or after `from` (exactly at `from` for anchored rules), or null. */
  match(text: string, from: number): Match | null;
};

/**
 * Compiles a rule. JavaScript's own engine is 4 to 15 times faster than re2js (1.4 against 13 microseconds on a line of
 * 110 characters), so it runs every pattern that can't backtrack exponentially, always on a bounded window. The other
 * patterns run on re2js, which takes linear time.
 */
function compileRule(rule: SecretRule): CompiledRule {
  const { source, ignoreCase } = toJavaScript(rule.pattern);
  const shape = analysePattern(source);
  const insensitive = ignoreCase || rule.flags === 'i';
  if (rule.anchored && shape.maxLength === Infinity)
    throw new Error(`rule ${rule.id} is anchored, but has no maximum length`);
  const match = (shape.nested ? linearMatcher : nativeMatcher)(source, insensitive, rule.anchored === true);
  const reach = Math.min(shape.maxLength, shape.crossesLines ? reachAcrossLines : reachWithinLine);
  return { rule, shape, reach, match };
}

function nativeMatcher(source: string, insensitive: boolean, anchored: boolean): CompiledRule['match'] {
  const expression = new RegExp(source, `dm${insensitive ? 'i' : ''}${anchored ? 'y' : 'g'}`);
  // With group indices a match runs twice, so the first test omits them.
  const probe = new RegExp(source, `m${insensitive ? 'i' : ''}${anchored ? 'y' : 'g'}`);
  return (text, from) => {
    probe.lastIndex = from;
    if (!probe.test(text)) return null;
    expression.lastIndex = from;
    const found = expression.exec(text);
    if (!found) return null;
    const [secretStart, secretEnd] = secretGroup(found.indices?.groups) ?? found.indices![0]!;
    return { start: found.index, secretStart, secretEnd };
  };
}

/**
 * Alternatives can't share a group name in RE2, so `secret`, `secret2`, `secret3` … count as one: the first that
 * matched.
 */
function secretGroup(groups: Record<string, [number, number] | undefined> | undefined): [number, number] | undefined {
  for (const name in groups) if (name.startsWith('secret') && groups[name]) return groups[name];
  return undefined;
}

function linearMatcher(source: string, insensitive: boolean): CompiledRule['match'] {
  const expression = RE2JS.compile(source, RE2JS.MULTILINE | (insensitive ? RE2JS.CASE_INSENSITIVE : 0));
  const names = Object.keys(expression.namedGroups()).filter((name) => name.startsWith('secret'));
  return (text, from) => {
    const matcher = expression.matcher(text);
    if (!matcher.find(from)) return null;
    const group = names.find((name) => matcher.start(name) >= 0) ?? 0;
    return { start: matcher.start(), secretStart: matcher.start(group), secretEnd: matcher.end(group) };
  };
}
