import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit, type YAMLMap } from 'yaml';
import { readVersionRange } from '../advisories/versions/vers.ts';
import type { ScannedDetection } from '../contract/detector.ts';
import { packageOf } from '../contract/fingerprint.ts';
import { compilePath } from '../contract/path-glob.ts';
import { decisionFile, type Suppression } from '../contract/suppression.ts';

const maxBytes = 256 * 1024;
const maxDecisions = 500;
const maxValues = 100;
/** The path patterns of a file: each finding is compared with those of its rule. */
const maxPatterns = 1_000;
const maxLength = 500;
const maxReason = 1_000;
const maxDepth = 50;
const maxWarnings = 20;

/** The decisions of a file, in its order. `warnings` name the lines of those that have no effect, and why. */
export type FileDecisions = {
  find(detection: ScannedDetection, source: string): Suppression | null;
  warnings: string[];
};

type Entry = {
  suppression: Suppression;
  patterns: number;
  matches(detection: ScannedDetection, source: string): boolean;
};

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
  const warnings: string[] = [];
  const lines = new LineCounter();
  const warn = (offset: number | undefined, message: string) => {
    const line = offset === undefined ? '' : `, line ${lines.linePos(offset).line}`;
    if (warnings.length < maxWarnings) warnings.push(`${decisionFile}${line}: ${message}`);
  };
  let patterns = 0;
  const read = (node: unknown) => {
    try {
      const entry = readEntry(node, now);
      patterns += entry?.patterns ?? 0;
      if (patterns > maxPatterns) throw new Refusal(node, `The file has more than ${maxPatterns} path patterns`);
      if (entry) entries.push(entry);
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
  return {
    warnings,
    find: (detection, source) => entries.find(({ matches }) => matches(detection, source))?.suppression ?? null,
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
const outcomes = ['false_positive', 'accepted_risk'] as const;

/** Returns a decision; null for one whose end has come. Throws a refusal for one that can't be read. */
function readEntry(node: unknown, now: Date): Entry | null {
  if (!isMap(node) || isAlias(node)) throw new Refusal(node, 'A decision must be a mapping');
  requireKeys(node, fields);
  const status = textOf(node.get('outcome', true), 'outcome') as (typeof outcomes)[number];
  if (!outcomes.includes(status))
    throw new Refusal(node.get('outcome', true), `\`outcome\` must be one of ${outcomes.join(', ')}`);
  const reason = textOf(node.get('reason', true), 'reason', maxReason).trim();
  const scope = node.get('scope', true) as unknown;
  const matches = readScope(scope);
  const until = readUntil(node.get('until', true));
  if (until && until <= now) return null;
  const suppression = { status, reason: `Decided in ${decisionFile}: ${reason}` };
  return { suppression, matches, patterns: textsOf(scope as YAMLMap, 'path')?.length ?? 0 };
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

function readScope(node: unknown): Entry['matches'] {
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
    if (!/^pkg:[A-Za-z][A-Za-z0-9.+-]*\/[^@?#]+$/.test(purl))
      throw new Refusal(purls, '`package` must be a package URL without a version: pkg:npm/left-pad');
  const names = packages?.map((purl) => packageOf('', '', purl));
  const upper = identifiers?.map((name) => name.toUpperCase());
  const sources = textsOf(node, 'source');
  const inVersions = readVersions(node, packages !== undefined);
  const inPaths = readPaths(node);
  return (detection, source) => {
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
}

type Located = Pick<ScannedDetection, 'location' | 'places'>;

function readVersions(scope: YAMLMap, hasPackage: boolean): (detection: Located) => boolean {
  const node = scope.get('versions', true) as unknown;
  if (node === undefined) return () => true;
  const range = readVersionRange(textOf(node, 'versions', 2_000));
  if (typeof range === 'string') throw new Refusal(node, `\`versions\` ${range}`);
  if (!hasPackage) throw new Refusal(node, '`versions` needs `package`');
  return ({ location, places }) => {
    const all = places.flatMap(({ version }) => version ?? []);
    const versions = all.length > 0 ? all : [location.package?.version].filter((one) => typeof one === 'string');
    return versions.length > 0 && versions.every((version) => range.contains(version));
  };
}

/** Paths as filters have them: all places must be at one of them. */
function readPaths(scope: YAMLMap): (detection: Located) => boolean {
  const patterns = textsOf(scope, 'path');
  if (!patterns) return () => true;
  for (const pattern of patterns)
    if (/^(?:\/|~|[A-Za-z]:)/.test(pattern) || pattern.includes('\\') || pattern.split('/').includes('..'))
      throw new Refusal(
        scope.get('path', true),
        '`path` must be relative, with `/` and without `..`: it stays in the repository',
      );
  const tests = patterns.map(compilePath);
  return ({ location, places }) => {
    const paths = [location.path, ...places.map(({ path }) => path)].filter((path) => path !== null);
    return paths.length > 0 && paths.every((path) => tests.some((isIn) => isIn(path)));
  };
}
