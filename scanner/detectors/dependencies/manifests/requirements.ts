import type { Dependency } from '../dependency.ts';
import { fileName, type IncludedFiles, type ManifestFormat, named } from './manifest-format.ts';
import {
  createLineIndex,
  entries,
  type Json,
  list,
  object,
  readJson,
  readToml,
  text,
  versionOf,
} from './structures.ts';

/** The locks of Poetry, PDM and uv all list `[[package]]` with name and version. */
function createTomlFormat(
  name: string,
  matches: ManifestFormat['matches'],
  skips: (entry: Json) => boolean,
): ManifestFormat {
  return {
    name,
    matches,
    read(content) {
      const lineOf = createLineIndex(content);
      return list(readToml(content).package ?? [], 'package').flatMap((entry): Dependency[] => {
        const packageName = text(entry.name);
        if (packageName === null || skips(entry)) return [];
        return [{ ecosystem: 'PyPI', name: packageName, version: versionOf(entry), line: lineOf(packageName) }];
      });
    },
  };
}

export const poetryLock = createTomlFormat(
  'Poetry lockfile',
  named('poetry.lock'),
  ({ source }) => object(source).type === 'directory',
);
export const pdmLock = createTomlFormat('PDM lockfile', named('pdm.lock'), () => false);
/** The list also contains the project itself and its workspace. */
export const uvLock = createTomlFormat('uv lockfile', named('uv.lock'), ({ source }) => {
  const { virtual, editable, directory } = object(source);
  return virtual !== undefined || editable !== undefined || directory !== undefined;
});

/** PEP 751's pylock.toml, which lists `[[packages]]`. */
export const pylock: ManifestFormat = {
  name: 'Python lockfile',
  matches: (path) => /(?:^|\/)pylock(?:\.[^./]+)?\.toml$/.test(path),
  read(content) {
    const lineOf = createLineIndex(content);
    return list(readToml(content).packages, 'packages').flatMap((entry): Dependency[] => {
      const name = text(entry.name);
      return name === null || entry.directory !== undefined
        ? []
        : [{ ecosystem: 'PyPI', name, version: versionOf(entry), line: lineOf(name) }];
    });
  },
};

/** Pipfile.lock: default and develop, each package pinned with `==`. Packages from other sources have no version. */
export const pipenvLock: ManifestFormat = {
  name: 'Pipenv lockfile',
  matches: named('Pipfile.lock'),
  read(content) {
    const lock = readJson(content);
    const lineOf = createLineIndex(content);
    const found = new Map<string, Dependency>();
    const groups = Object.entries(lock).filter(([group]) => group !== '_meta');
    for (const [name, details] of groups.flatMap(([group, packages]) => entries(packages, group))) {
      const version = versionOf(details)?.replace(/^===?/, '');
      if (version) found.set(`${name} ${version}`, { ecosystem: 'PyPI', name, version, line: lineOf(name) });
    }
    return [...found.values()];
  },
};

/** pip's requirements files, with the files that they include (`-r`, `-c`). Only pinned versions (`==`) are known. */
export const requirements: ManifestFormat = {
  name: 'pip requirements',
  matches: (path) =>
    /^(?:[\w.-]+[-_.])?(?:requirements|constraints)(?:[-_.][\w.-]+)?\.(?:txt|in|pip)$/i.test(fileName(path)) ||
    /(?:^|\/)requirements\/[\w.-]+\.(?:txt|pip)$/i.test(path),
  async read(content, files) {
    if (isOtherText(content)) throw new Error('It is not a list of requirements.');
    const found = new Map<string, Dependency>();
    await readFile(content, '', files, new Set(['']), found);
    return [...found.values()];
  },
};

const maxIncluded = 100;
const nameAndRest = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$/;

/** Prose may also be named requirements.txt. */
function isOtherText(content: string): boolean {
  const lines = statementsOf(content);
  const readable = lines.filter(({ text }) => text.startsWith('-') || /[/:]/.test(text) || readRequirement(text, null));
  return lines.length > 0 && readable.length === 0;
}

async function readFile(
  content: string,
  path: string,
  files: IncludedFiles,
  visited: Set<string>,
  found: Map<string, Dependency>,
): Promise<void> {
  for (const { text, line } of statementsOf(content)) {
    const [, include] = /^(?:-r|-c|--requirement|--constraint)(?:\s+|=)?(\S+)/.exec(text) ?? [];
    if (include === undefined) {
      const dependency = readRequirement(text, line);
      const key = `${dependency?.name} ${dependency?.version}`;
      if (dependency && !found.has(key))
        found.set(key, path === '' ? dependency : { ...dependency, includedFrom: path });
      continue;
    }
    if (/^[a-z]+:\/\//i.test(include)) continue;
    const from = resolvePath(path.replace(/[^/]*$/, ''), include);
    if (visited.has(from)) continue;
    visited.add(from);
    if (visited.size > maxIncluded) throw new Error(`It includes more than ${maxIncluded} files.`);
    const included = await files.read(from);
    if (included === null) files.warn(`The included file ${include} is missing.`);
    else await readFile(included, from, files, visited, found);
  }
}

/** Returns the lines without comments and options, with continued lines joined. */
function statementsOf(content: string): Array<{ text: string; line: number }> {
  const statements: Array<{ text: string; line: number }> = [];
  let open = false;
  for (const [index, raw] of content.split(/\r\n|\r|\n/).entries()) {
    const plain = raw.replace(/(^|\s)#.*$/, '').trim();
    const text = plain.replace(/\\$/, '').trim();
    if (open) statements.at(-1)!.text += ` ${text}`;
    else if (text !== '') statements.push({ text, line: index + 1 });
    open = plain.endsWith('\\') && statements.length > 0;
  }
  return statements;
}

function readRequirement(statement: string, line: number | null): Dependency | null {
  const requirement = statement.split(/\s--|;/, 1)[0]!.trim();
  // An archive at an address: `name @ https://…`, or only an address, which does not reliably identify a package.
  const [, name, rest = ''] = nameAndRest.exec(requirement) ?? [];
  if (name === undefined || !/^(?:$|[@<>=!~(])/.test(rest)) return null;
  const [, version] = /^\(?\s*={2,3}\s*([^\s,*)]+)\s*\)?$/.exec(rest) ?? [];
  return { ecosystem: 'PyPI', name: name.toLowerCase().replace(/[-_.]+/g, '-'), version: version ?? null, line };
}

/** Resolves `.` and `..` in a path from the manifest's folder. */
function resolvePath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}${path}`.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
