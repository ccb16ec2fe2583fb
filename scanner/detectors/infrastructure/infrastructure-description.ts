import type { DetectorDescription } from '../../contract/detector.ts';

export const infrastructureDescription: DetectorDescription = {
  type: 'infrastructure',
  name: 'Infrastructure',
  description:
    'Dangerous settings in Dockerfiles, Compose files, Kubernetes manifests, Helm charts, Terraform, CloudFormation, GitHub Actions and GitLab CI.',
  version: '1.0.0',
  dataSourceKinds: ['git_repository'],
  unavailableReason: async () => null,
};
