import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, entries, readYaml, text } from './structures.ts';

/** pubspec.lock of Dart and Flutter. */
export const pubLock: ManifestFormat = {
  name: 'Pub lockfile',
  matches: named('pubspec.lock'),
  read(content) {
    const lineOf = createLineIndex(content);
    return entries(readYaml(content).packages, 'packages').map(([name, details]) => ({
      ecosystem: 'Pub',
      name,
      version: text(details.version),
      line: lineOf(name),
    }));
  },
};
