import type { DetectorDescription } from '../../contract/detector.ts';

export const dependenciesDescription: DetectorDescription = {
  type: 'dependencies',
  name: 'Dependencies',
  description: 'Known vulnerabilities of the packages in lockfiles, manifests and SBOMs of git repositories.',
  version: '1.0.0',
  dataSourceKinds: ['git_repository'],
  unavailableReason: async (advisories) =>
    (await advisories.exist())
      ? null
      : 'No advisories are loaded. Load them with "assay advisories sync --from DIR|URL", or set ASSAY_ADVISORIES.',
};
