import type { DetectorDescription } from '../../contract/detector.ts';

export const webDescription: DetectorDescription = {
  type: 'web',
  name: 'Web',
  description:
    'A website’s TLS and certificate, security headers and content security policy, cookies, mixed content, redirects, and files that should not be public.',
  version: '1.0.0',
  dataSourceKinds: ['website'],
  unavailableReason: async () => null,
};
