import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit, type YAMLMap } from 'yaml';
import { readVersionRange } from '../advisories/versions/vers.ts';
import type { ScannedDetection } from '../contract/detector.ts';
import { packageOf } from '../contract/fingerprint.ts';
import { compilePath, countWildcards, maxWildcards } from '../contract/path-glob.ts';
import { rankOf } from '../contract/scope-rank.ts';
import {
  decisionFile,
  fileOutcomes,
  type Justification,
  justifications,
  type Suppression,
} from '../contract/suppression.ts';

const maxBytes = 256 * 1024;
const maxDecisions = 500;
const maxValues = 100;
/** The path patterns of a file: each finding is compared with those of its rule. */
const maxPatterns = 1_000;
const maxLength = 500;
const maxReason = 1_000;
const maxDepth = 50;
const maxWarnings = 20;

export type FileScope = Partial<Record<(typeof anchors)[number] | 'path' | 'source', string[]>> & { versions?: string };

/** A decision of the file, with its first and last line. */
export type FileDecision = {
  first: number;
  last: number;
  outcome: (typeof fileOutcomes)[number];
  justification: Justification | null;
  reason: string;
  scope: FileScope;
  until: Date | null;
};

/** The decisions of a file, in its order. `warnings` name the lines of those that have no effect, and why. */
export type FileDecisions = {
  decisions: FileDecision[];
  /** Returns the narrowest decision that closes the finding; of equally narrow ones, the last. */
  find(detection: ScannedDetection, source: string): Suppression | null;
  /** Returns whether a decision shows the finding as `info`, whatever closes it. */
  demotes(detection: ScannedDetection, source: string): boolean;
  warnings: string[];
};

type Entry = {
  decision: Omit<FileDecision, 'first' | 'last'>;
  rank: number;
  matches(detection: ScannedDetection, source: string): boolean;
};

/** Formats a warning about a line of the file; null for the whole file. */
export const fileWarning = (line: number | null, message: string): string =>
  `${decisionFile}${line === null ? '' : `, line ${line}`}: ${message}`;

/** A problem with a part of the file, whose decision has no effect. */
class Refusal extends Error {
  readonly node: Node | null;
  constructor(node: unknown, message: string) {
    super(message);
    this.node = (node as Node | null) ?? null;
  }
}

/**
 * Reads the file of decisions. It comes from the scanned repository: its size, count, depth and lengths are bounded, and
 * aliases are refused. A decision that can't be read has no effect, and neither has a file that is no YAML.
 */
export function readDecisionFile(content: Buffer, now = new Date()): FileDecisions {
  const entries: Entry[] = [];
  const decisions: FileDecision[] = [];
  const warnings: string[] = [];
  const lines = new LineCounter();
  const warn = (offset: number | undefined, message: string) => {
    const line = offset === undefined ? null : lines.linePos(offset).line;
    if (warnings.length < maxWarnings) warnings.push(fileWarning(line, message));
  };
  let patterns = 0;
  const read = (node: unknown) => {
    try {
      const entry = readEntry(node, now);
      if (!entry) return;
      patterns += entry.decision.scope.path?.length ?? 0;
      if (patterns > maxPatterns) throw new Refusal(node, `The file has more than ${maxPatterns} path patterns`);
      entries.push(entry);
      const [start, end] = (node as Node).range!;
      // A block ends where the next line begins.
      const [first, last] = [start, Math.max(start, end - 1)].map((offset) => lines.linePos(offset).line);
      decisions.push({ ...entry.decision, first: first!, last: last! });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      warn((error.node ?? (node as Node | null))?.range?.[0], `${error.message}. The decision has no effect.`);
    }
  };
  try {
    for (const node of listNodes(content, lines)) read(node);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    warn(error.node?.range?.[0], `${error.message}. No decision of the file has an effect.`);
  }
  const narrowest = entries.toReversed().sort((left, right) => right.rank - left.rank);
  return {
    decisions,
    warnings,
    find(detection, source) {
      for (const { decision, matches } of narrowest) {
        const { outcome: status, reason } = decision;
        if (status === 'demoted' || !matches(detection, source)) continue;
        return { status, reason: `Decided in ${decisionFile}: ${reason}` };
      }
      return null;
    },
    demotes: (detection, source) =>
      entries.some(({ decision, matches }) => decision.outcome === 'demoted' && matches(detection, source)),
  };
}

/** Returns the nodes of the decisions. Throws a refusal for a file that can't be read. */
function listNodes(content: Buffer, lines: LineCounter): unknown[] {
  if (content.length > maxBytes) throw new Refusal(null, `The file is larger than ${maxBytes / 1024} KiB`);
  const text = content.toString();
  requireShallow(text);
  const document = parse(text, lines);
  const [error] = document.errors;
  if (error) {
    const words = error.code.toLowerCase().replaceAll('_', ' ');
    throw new Refusal({ range: error.pos }, `The file is not a YAML document (${words})`);
  }
  visit(document, {
    Alias: (_key, node) => {
      throw new Refusal(node, 'Aliases are not accepted: write the value again');
    },
  });
  const root = document.contents;
  if (root === null) return [];
  if (!isMap(root)) throw new Refusal(root, 'The file must be a mapping with the key `decisions`');
  requireKeys(root, ['decisions']);
  const list = root.get('decisions', true);
  if (!isSeq(list)) throw new Refusal(list ?? root, '`decisions` must be a list');
  if (list.items.length > maxDecisions)
    throw new Refusal(list, `The file has ${list.items.length} decisions, and ${maxDecisions} are accepted`);
  return list.items;
}

function parse(text: string, lineCounter: LineCounter) {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false });
  } catch (error) {
    // The stack is full.
    if (error instanceof RangeError) throw new Refusal(null, 'The file is nested too deeply');
    throw error;
  }
}

/** The parser recurses for each level, of which brackets and dashes are the shortest forms. */
function requireShallow(text: string): void {
  let depth = 0;
  for (const { 0: bracket } of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > maxDepth) throw new Refusal(null, 'The file is nested too deeply');
  }
  if (/^[ \t]*(?:[-?:][ \t]+){20}/m.test(text)) throw new Refusal(null, 'The file is nested too deeply');
}

function requireKeys(map: YAMLMap, accepted: readonly string[]): void {
  for (const { key } of map.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (!accepted.includes(name))
      throw new Refusal(key, `\`${name.slice(0, 50)}\` is not a known field; there are ${accepted.join(', ')}`);
  }
}

/** Returns a text of at most this length. Throws a refusal for anything else. */
function textOf(node: unknown, name: string, max = maxLength): string {
  const value = isScalar(node) ? node.value : undefined;
  if (typeof value === 'string' && value.trim() !== '' && value.length <= max) return value;
  throw new Refusal(node, `\`${name}\` must be text of at most ${max} characters`);
}

/** Returns a list of texts; a single one may stand by itself. */
function textsOf(map: YAMLMap, name: string): string[] | undefined {
  const node = map.get(name, true) as unknown;
  if (node === undefined) return undefined;
  if (!isSeq(node)) return [textOf(node, name)];
  if (node.items.length === 0 || node.items.length > maxValues)
    throw new Refusal(node, `\`${name}\` must have 1 to ${maxValues} values`);
  return node.items.map((item) => textOf(item, name));
}

const fields = ['outcome', 'justification', 'reason', 'scope', 'until'];

/** Returns a decision; null for one whose end has come. Throws a refusal for one that can't be read. */
function readEntry(node: unknown, now: Date): Entry | null {
  if (!isMap(node) || isAlias(node)) throw new Refusal(node, 'A decision must be a mapping');
  requireKeys(node, fields);
  const outcome = oneOf(node, 'outcome', fileOutcomes);
  const justification = node.has('justification') ? oneOf(node, 'justification', justifications) : null;
  const reason = textOf(node.get('reason', true), 'reason', maxReason).trim();
  const { scope, matches } = readScope(node.get('scope', true));
  if (outcome === 'demoted' && (!scope.rule || scope.identifier || scope.package))
    throw new Refusal(
      node.get('scope', true),
      '`demoted` is about rules: its `scope` has `rule`, and no identifier or package',
    );
  const until = readUntil(node.get('until', true));
  if (until && until <= now) return null;
  return { decision: { outcome, justification, reason, scope, until }, rank: rankOf(scope), matches };
}

function oneOf<Value extends string>(map: YAMLMap, name: string, accepted: readonly Value[]): Value {
  const node = map.get(name, true);
  const value = textOf(node, name);
  if (accepted.includes(value as Value)) return value as Value;
  throw new Refusal(node, `\`${name}\` must be one of ${accepted.join(', ')}`);
}

/** Reads a day, which counts to its end, or a time of RFC 3339. */
function readUntil(node: unknown): Date | null {
  if (node === undefined) return null;
  const value = textOf(node, 'until');
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(value);
  const at = new Date(isDay ? `${value}T23:59:59Z` : value);
  if ((isDay || isTime) && !Number.isNaN(at.getTime())) return at;
  throw new Refusal(node, '`until` must be a day (2027-01-31) or a time with a zone (2027-01-31T00:00:00Z)');
}

const anchors = ['rule', 'identifier', 'package'] as const;
const scopeFields = [...anchors, 'versions', 'path', 'source'];
/** Fields that decisions of a server have and that reach beyond a repository, or are unknown in it. */
const foreign = ['finding', 'data_source', 'data_source_tag'];

function readScope(node: unknown): Pick<Entry, 'matches'> & { scope: FileScope } {
  if (!isMap(node)) throw new Refusal(node, '`scope` must be a mapping');
  for (const { key } of node.items)
    if (isScalar(key) && foreign.includes(String(key.value)))
      throw new Refusal(key, `\`${key.value}\` is not accepted here: the file decides about its own repository`);
  requireKeys(node, scopeFields);
  const [rules, identifiers, packages] = anchors.map((name) => textsOf(node, name));
  if (!rules && !identifiers && !packages)
    throw new Refusal(node, '`scope` must have at least one of rule, identifier and package');
  const purls = node.get('package', true);
  for (const purl of packages ?? [])
    if (!/^pkg:[A-Za-z][A-Za-z0-9.+-]*\/[^@?#]+$/.test(purl) || packageOf('', '', purl).endsWith('/'))
      throw new Refusal(purls, '`package` must be a package URL without a version: pkg:npm/left-pad');
  const names = packages?.map((purl) => packageOf('', '', purl));
  const upper = identifiers?.map((name) => name.toUpperCase());
  const sources = textsOf(node, 'source');
  const { versions, isIn: inVersions } = readVersions(node, packages !== undefined);
  const { paths, isIn: inPaths } = readPaths(node);
  const given = Object.entries({
    rule: rules,
    identifier: identifiers,
    package: packages,
    versions,
    path: paths,
    source: sources,
  });
  const scope: FileScope = Object.fromEntries(given.filter(([, values]) => values !== undefined));
  const matches = (detection: ScannedDetection, source: string): boolean => {
    const found = detection.location.package;
    return (
      (!rules || rules.includes(detection.rule.id)) &&
      (!upper || detection.identifiers.some((name) => upper.includes(name.toUpperCase()))) &&
      (!names || (found !== null && names.includes(packageOf(found.ecosystem, found.name, found.purl)))) &&
      (!sources || sources.includes(source)) &&
      inVersions(detection) &&
      inPaths(detection)
    );
  };
  return { scope, matches };
}

type Located = Pick<ScannedDetection, 'location' | 'places'>;

type IsIn = (detection: Located) => boolean;

function readVersions(scope: YAMLMap, hasPackage: boolean): { versions?: string; isIn: IsIn } {
  const node = scope.get('versions', true) as unknown;
  if (node === undefined) return { isIn: () => true };
  const written = textOf(node, 'versions', 2_000);
  const range = readVersionRange(written);
  if (typeof range === 'string') throw new Refusal(node, `\`versions\` ${range}`);
  if (!hasPackage) throw new Refusal(node, '`versions` needs `package`');
  const isIn: IsIn = ({ location, places }) => {
    const all = places.flatMap(({ version }) => version ?? []);
    const versions = all.length > 0 ? all : [location.package?.version].filter((one) => typeof one === 'string');
    return versions.length > 0 && versions.every((version) => range.contains(version));
  };
  return { versions: written, isIn };
}

/** Paths as filters have them: all places must be at one of them. */
function readPaths(scope: YAMLMap): { paths?: string[]; isIn: IsIn } {
  const patterns = textsOf(scope, 'path');
  if (!patterns) return { isIn: () => true };
  for (const pattern of patterns)
    if (/^(?:\/|~|[A-Za-z]:)/.test(pattern) || pattern.includes('\\') || pattern.split('/').includes('..'))
      throw new Refusal(
        scope.get('path', true),
        '`path` must be relative, with `/` and without `..`: it stays in the repository',
      );
  if (countWildcards(patterns) > maxWildcards)
    throw new Refusal(scope.get('path', true), `\`path\` may have at most ${maxWildcards} wildcards in all`);
  const tests = patterns.map(compilePath);
  const isIn: IsIn = ({ location, places }) => {
    const paths = [location.path, ...places.map(({ path }) => path)].filter((path) => path !== null);
    return paths.length > 0 && paths.every((path) => tests.some((test) => test(path)));
  };
  return { paths: patterns, isIn };
}
