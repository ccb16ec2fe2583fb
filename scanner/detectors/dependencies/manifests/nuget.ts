import type { Dependency } from '../dependency.ts';
import { fileName, type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, entries, object, readJson, text } from './structures.ts';
import { descendantsOf, readXml } from './xml.ts';

const ecosystem = 'NuGet';

/** packages.lock.json: the packages of each framework, among them projects of the solution. */
export const nugetLock: ManifestFormat = {
  name: 'NuGet lockfile',
  matches: named('packages.lock.json'),
  read(content) {
    const lineOf = createLineIndex(content);
    const found = new Map<string, Dependency>();
    const packages = entries(readJson(content).dependencies, 'dependencies').flatMap(([name, framework]) =>
      entries(framework, name),
    );
    for (const [name, details] of packages) {
      if (details.type === 'Project') continue;
      const version = text(details.resolved);
      found.set(`${name} ${version}`, { ecosystem, name, version, line: lineOf(name) });
    }
    return [...found.values()];
  },
};

/** A build's NAME.deps.json, which lists `name/version`. */
export const nugetDeps: ManifestFormat = {
  name: '.NET dependencies',
  matches: (path) => fileName(path).endsWith('.deps.json'),
  read(content) {
    const lineOf = createLineIndex(content);
    const { libraries, runtimeTarget } = readJson(content);
    if (!object(runtimeTarget).name) throw new Error('It is not a list of .NET dependencies.');
    return entries(libraries, 'libraries').flatMap(([key, details]): Dependency[] => {
      const [, name, version] = /^([^/]+)\/(.+)$/.exec(key) ?? [];
      return details.type === 'package' && name ? [{ ecosystem, name, version: version!, line: lineOf(key) }] : [];
    });
  },
};

/** packages.config, from before lockfiles. */
export const nugetConfig: ManifestFormat = {
  name: 'NuGet packages.config',
  matches: named('packages.config'),
  read(content) {
    const root = readXml(content);
    if (root.name !== 'packages') throw new Error('It is not a list of NuGet packages.');
    return [...descendantsOf(root, 'package')].flatMap(({ attributes: { id, version }, line }): Dependency[] =>
      id ? [{ ecosystem, name: id, version: version || null, line }] : [],
    );
  },
};
