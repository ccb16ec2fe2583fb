import type { Dependency } from '../dependency.ts';
import { fileName, type ManifestFormat } from './manifest-format.ts';
import { descendantsOf, readXml } from './xml.ts';

/** gradle.lockfile and its relatives: `group:name:version=configurations` on each line. */
export const gradleLock: ManifestFormat = {
  name: 'Gradle lockfile',
  matches: (path) =>
    /^(?:[\w.-]*gradle\.lockfile|[\w.-]*-gradle\.lockfile)$/.test(fileName(path)) ||
    /(?:^|\/)gradle\/dependency-locks\/[^/]+\.lockfile$/.test(path),
  read(content, files) {
    return content.split('\n').flatMap((raw, index): Dependency[] => {
      const line = raw.trim();
      if (line === '' || line.startsWith('#') || line.startsWith('empty=')) return [];
      const [, group, name, version] = /^([^:=\s]+):([^:=\s]+):([^:=\s]+)(?:=.*)?$/.exec(line) ?? [];
      if (version === undefined) {
        files.warn(`Line ${index + 1} does not name a package in Gradle's format.`);
        return [];
      }
      return [{ ecosystem: 'Maven', name: `${group}:${name}`, version, line: index + 1 }];
    });
  },
};

/** gradle/verification-metadata.xml: everything that Gradle has verified, which may be more than is used. */
export const gradleVerification: ManifestFormat = {
  name: 'Gradle verification metadata',
  matches: (path) => fileName(path) === 'verification-metadata.xml',
  read(content) {
    const root = readXml(content);
    if (root.name !== 'verification-metadata') throw new Error("It is not Gradle's verification metadata.");
    return [...descendantsOf(root, 'component')].flatMap(
      ({ attributes: { group, name, version }, line }): Dependency[] =>
        group && name && version ? [{ ecosystem: 'Maven', name: `${group}:${name}`, version, line }] : [],
    );
  },
};
