import type { Dependency } from '../dependency.ts';
import { fileName, type ManifestFormat, named } from './manifest-format.ts';
import { childOf, childrenOf, descendantsOf, readXml, textOf, type XmlElement } from './xml.ts';

/** gradle.lockfile and similar files: `group:name:version=configurations` on each line. */
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

/**
 * pom.xml by itself: its properties and managed versions are known, but not its parent's. A version that depends on
 * those, or is a range, is left open.
 */
export const mavenProject: ManifestFormat = {
  name: 'Maven project',
  matches: named('pom.xml'),
  read(content) {
    const project = readXml(content);
    if (project.name !== 'project') throw new Error('It is not a Maven project.');
    const properties = readProperties(project);
    const found = new Map<string, Dependency>();
    const managed = childOf(childOf(project, 'dependencyManagement'), 'dependencies');
    for (const element of [childOf(project, 'dependencies'), managed].flatMap((list) =>
      childrenOf(list, 'dependency'),
    )) {
      const [group, artifact] = ['groupId', 'artifactId'].map((part) =>
        expand(textOf(element, part) ?? '', properties),
      );
      if (!group || !artifact) continue;
      const name = `${group}:${artifact}`;
      const version = plainVersion(expand(textOf(element, 'version') ?? '', properties));
      const known = found.get(name);
      if (!known) found.set(name, { ecosystem: 'Maven', name, version, line: element.line });
      else known.version ??= version;
    }
    return [...found.values()];
  },
};

function readProperties(project: XmlElement): Map<string, string> {
  const properties = new Map<string, string>();
  for (const { name, text } of childOf(project, 'properties')?.children ?? []) properties.set(name, text.trim());
  const parent = childOf(project, 'parent');
  for (const part of ['groupId', 'artifactId', 'version']) {
    const inherited = textOf(parent, part);
    const own = textOf(project, part) ?? inherited;
    if (own !== null) properties.set(`project.${part}`, own).set(`pom.${part}`, own);
    if (inherited !== null) properties.set(`project.parent.${part}`, inherited).set(`parent.${part}`, inherited);
  }
  return properties;
}

const maxSteps = 20;
const maxLength = 1_000;

/** Replaces `${name}`, up to a few levels deep; unknown names stay. */
function expand(text: string, properties: Map<string, string>): string {
  let expanded = text;
  for (let step = 0; step < maxSteps && expanded.includes('${') && expanded.length < maxLength; step++) {
    const next = expanded.replace(/\$\{([^{}]+)\}/g, (whole, name: string) => properties.get(name) ?? whole);
    if (next === expanded) break;
    expanded = next;
  }
  return expanded.slice(0, maxLength);
}

/** `[1.0]` is exactly that version; any other range leaves it open. */
function plainVersion(version: string): string | null {
  const exact = /^\[([^,[\]()]+)\]$/.exec(version)?.[1] ?? version;
  return exact === '' || /[[\](),]|\$\{/.test(exact) || /^(?:LATEST|RELEASE)$/.test(exact) ? null : exact.trim();
}
