import { fail, isHostName, issuerUrl, listOf, oneOf, organization, type Read } from './config-values.ts';
import { isId } from './platform/id.ts';

export type SingleSignOnConfig = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  allowedDomains: string[];
  role: 'viewer' | 'analyst' | 'admin';
  organization: string | null;
};

/** Reads the settings `ASSAY_OIDC_…`. */
export function readSingleSignOn(read: Read, errors: string[]): SingleSignOnConfig | null {
  const issuer = read<string | null>('ASSAY_OIDC_ISSUER', null, issuerUrl);
  const clientId = read<string | null>('ASSAY_OIDC_CLIENT_ID', null, (text) => text);
  const clientSecret = read<string | null>('ASSAY_OIDC_CLIENT_SECRET', null, (text) => text);
  const name = read('ASSAY_OIDC_NAME', 'Single sign-on', organization);
  const allowedDomains = read<string[]>(
    'ASSAY_OIDC_ALLOWED_DOMAINS',
    [],
    listOf((item) => isHostName(item) && !item.startsWith('*'), 'a domain such as example.com'),
  ).map((domain) => domain.toLowerCase());
  const role = read('ASSAY_OIDC_ROLE', 'viewer', oneOf(['viewer', 'analyst', 'admin'] as const));
  const organizationId = read<string | null>('ASSAY_OIDC_ORGANIZATION', null, (text) =>
    isId('org', text) ? text : fail('must be the id of an organization (org_…), as GET /api/v1/organization shows it.'),
  );
  const given = { ASSAY_OIDC_ISSUER: issuer, ASSAY_OIDC_CLIENT_ID: clientId, ASSAY_OIDC_CLIENT_SECRET: clientSecret };
  const missing = Object.entries(given).filter(([, value]) => value === null);
  if (missing.length === 3) return null;
  for (const [variable] of missing) {
    if (!errors.some((error) => error.startsWith(variable))) {
      errors.push(`${variable}: must be set together with the other settings of single sign-on.`);
    }
  }
  if (missing.length > 0) return null;
  return {
    issuer: issuer!,
    clientId: clientId!,
    clientSecret: clientSecret!,
    name,
    allowedDomains,
    role,
    organization: organizationId,
  };
}
