import type { Dependency } from '../dependency.ts';
import { distributionOf } from '../distribution.ts';
import type { IncludedFiles, ManifestFormat } from './manifest-format.ts';

/** dpkg's database in a file system tree. Advisories are on source packages. */
export const dpkgStatus: ManifestFormat = {
  name: 'Debian packages',
  matches: (path) => /(?:^|\/)var\/lib\/dpkg\/status$/.test(path),
  async read(content, files) {
    const ecosystem = (await findDistribution(files)) ?? 'Debian';
    return paragraphsOf(content).flatMap(({ fields, line }): Dependency[] => {
      const [name, version] = [fields.get('Package'), fields.get('Version')];
      const [, source, sourceVersion] = /^(\S+)(?: \(([^)]+)\))?$/.exec(fields.get('Source') ?? '') ?? [];
      const isInstalled = / installed$/.test(fields.get('Status') ?? 'install ok installed');
      if (!isInstalled || (!name && !source)) return [];
      return [{ ecosystem, name: source ?? name!, version: sourceVersion ?? version ?? null, line }];
    });
  },
};

/** apk's database in a file system tree. */
export const apkInstalled: ManifestFormat = {
  name: 'Alpine packages',
  matches: (path) => /(?:^|\/)lib\/apk\/db\/installed$/.test(path),
  async read(content, files) {
    const ecosystem = (await findDistribution(files)) ?? 'Alpine';
    return paragraphsOf(content).flatMap(({ fields, line }): Dependency[] => {
      const name = fields.get('o') ?? fields.get('P');
      return name && fields.has('P') ? [{ ecosystem, name, version: fields.get('V') ?? null, line }] : [];
    });
  },
};

/** Both databases are three folders below the file system's root. */
async function findDistribution(files: IncludedFiles): Promise<string | null> {
  for (const path of ['../../../etc/os-release', '../../../usr/lib/os-release']) {
    const release = await files.read(path);
    if (release === null) continue;
    const [id, version] = ['ID', 'VERSION_ID'].map(
      (key) => new RegExp(`^${key}="?([^"\\n]*)"?`, 'm').exec(release)?.[1],
    );
    return distributionOf(id ?? '', version ?? '');
  }
  files.warn('The file etc/os-release is missing, so the release is unknown and no package could be matched.');
  return null;
}

/** Reads paragraphs of `key: value` (or `k:value`), separated by empty lines. */
function paragraphsOf(content: string): Array<{ fields: Map<string, string>; line: number }> {
  const paragraphs: Array<{ fields: Map<string, string>; line: number }> = [];
  let current: Map<string, string> | null = null;
  for (const [index, line] of content.split('\n').entries()) {
    if (line.trim() === '') current = null;
    const [, key, value] = /^([A-Za-z][\w-]*):\s*(.*)$/.exec(line) ?? [];
    if (key === undefined) continue;
    if (current === null) {
      current = new Map();
      paragraphs.push({ fields: current, line: index + 1 });
    }
    if (!current.has(key)) current.set(key, value!.trimEnd());
  }
  return paragraphs;
}
