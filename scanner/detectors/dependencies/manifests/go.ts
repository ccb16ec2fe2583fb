import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';

/** go.mod: its requirements after replacements, and Go itself (`toolchain`, or `go`) as `stdlib`. */
export const goModule: ManifestFormat = {
  name: 'Go module',
  matches: named('go.mod'),
  read(content) {
    const required = new Map<string, Dependency>();
    const replacements: Replacement[] = [];
    let go: Dependency | null = null;
    for (const { verb, words, line } of directivesOf(content)) {
      if (verb === 'require' && words.length === 2) add(required, words[0]!, words[1]!, line);
      if (verb === 'replace') replacements.push(readReplacement(words, line));
      const version = /^(?:go)?(\d+(?:\.\d+)*(?:rc\d+|beta\d+)?)/.exec(words[0] ?? '')?.[1];
      if ((verb === 'go' || verb === 'toolchain') && version) {
        go = { ecosystem: 'Go', name: 'stdlib', version, line };
      }
    }
    for (const replacement of replacements) replace(required, replacement);
    return [
      ...new Map(
        [...required.values(), ...(go ? [go] : [])].map((one) => [`${one.name} ${one.version}`, one]),
      ).values(),
    ];
  },
};

type Replacement = { name: string; version: string | null; by: string; byVersion: string | null; line: number };

const verbs = new Set([
  'module',
  'go',
  'toolchain',
  'godebug',
  'require',
  'replace',
  'exclude',
  'retract',
  'tool',
  'ignore',
]);

/** Yields each directive with its words; a block yields one for each of its lines. */
function* directivesOf(content: string): Generator<{ verb: string; words: string[]; line: number }> {
  let block: string | null = null;
  for (const [index, raw] of content.split('\n').entries()) {
    const words =
      raw
        .replace(/\/\/.*$/, '')
        .match(/"[^"]*"|`[^`]*`|[^\s"`]+/g)
        ?.map((word) => word.replace(/^["`]|["`]$/g, '')) ?? [];
    const [first, second] = words;
    if (first === undefined) continue;
    if (block !== null) {
      if (first === ')') block = null;
      else yield { verb: block, words, line: index + 1 };
    } else if (!verbs.has(first)) {
      throw new Error(`Line ${index + 1} does not begin with a go.mod directive.`);
    } else if (second === '(') {
      block = first;
    } else {
      yield { verb: first, words: words.slice(1), line: index + 1 };
    }
  }
}

const plain = (version: string) => version.replace(/^v/, '').replace(/\+incompatible$/, '');

function add(required: Map<string, Dependency>, name: string, version: string, line: number) {
  required.set(`${name} ${plain(version)}`, { ecosystem: 'Go', name, version: plain(version), line });
}

function readReplacement(words: string[], line: number): Replacement {
  const arrow = words.indexOf('=>');
  const [name, version = null] = words.slice(0, arrow);
  const [by, byVersion = null] = words.slice(arrow + 1);
  if (arrow < 1 || !name || !by) throw new Error(`Line ${line} is not a valid replacement.`);
  return { name, version: version && plain(version), by, byVersion, line };
}

/** A folder that replaces a module has no version, so it is not matched. */
function replace(required: Map<string, Dependency>, { name, version, by, byVersion, line }: Replacement) {
  for (const dependency of required.values()) {
    if (dependency.name !== name || (version !== null && dependency.version !== version)) continue;
    Object.assign(dependency, { name: by, version: byVersion && plain(byVersion), line });
  }
}
