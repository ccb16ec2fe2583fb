import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, entries, object, readJson, text } from './structures.ts';

/** conan.lock: a graph of nodes from Conan 1, lists of references from Conan 2. */
export const conanLock: ManifestFormat = {
  name: 'Conan lockfile',
  matches: named('conan.lock'),
  read(content) {
    const lock = readJson(content);
    const lineOf = createLineIndex(content);
    const toDependency = (reference: string): Dependency[] => {
      const [, name, version] = /^([^/@#\s]+)\/([^/@#\s]+)/.exec(reference) ?? [];
      return name ? [{ ecosystem: 'ConanCenter', name, version: version!, line: lineOf(reference) }] : [];
    };
    if (lock.graph_lock !== undefined) {
      return entries(object(lock.graph_lock).nodes, 'nodes').flatMap(([, node]) => {
        // A node with a path is the project itself.
        const reference = text(node.ref) ?? text(node.pref);
        return reference === null || node.path !== undefined ? [] : toDependency(reference);
      });
    }
    const lists = [lock.requires, lock.build_requires, lock.python_requires];
    if (lists.every((list) => list === undefined) && lock.version === undefined) {
      throw new Error('It has no packages in one of the forms of Conan.');
    }
    return lists.flatMap(listOf).flatMap((reference) => toDependency(String(reference)));
  },
};

function listOf(value: unknown): unknown[] {
  if (value !== undefined && !Array.isArray(value)) throw new Error('One of its lists of packages is not a list.');
  return value ?? [];
}
