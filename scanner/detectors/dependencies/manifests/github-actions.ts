import type { Dependency } from '../dependency.ts';
import type { ManifestFormat } from './manifest-format.ts';

const usesPattern =
  /^\s*(?:-\s+)?uses:\s*["']?([\w.-]+\/[\w.-]+)(?:\/[^@\s"']*)?@([^\s"'#]+)["']?(?:\s*#\s*(?:tag[:=]\s*)?(v?\d[\w.-]*))?/;

/**
 * The actions that GitHub workflows and composite actions use. A tag such as `v4` moves, so it is not a version. For a
 * commit, the version is in the comment that tools like Renovate maintain.
 */
export const githubWorkflow: ManifestFormat = {
  name: 'GitHub workflow',
  matches: (path) => /(?:^|\/)\.github\/(?:workflows\/[^/]+|actions\/.+\/action)\.ya?ml$/.test(path),
  read: (content) =>
    content.split('\n').flatMap((line, index): Dependency[] => {
      const [, name, reference, comment] = usesPattern.exec(line.slice(0, 1_000)) ?? [];
      if (name === undefined) return [];
      const version = /^[0-9a-f]{40}$/.test(reference!) ? comment : reference;
      const isExact = version !== undefined && /^v?\d+\.\d+\.\d+/.test(version);
      return [
        { ecosystem: 'GitHub Actions', name, version: isExact ? version.replace(/^v/, '') : null, line: index + 1 },
      ];
    }),
};
