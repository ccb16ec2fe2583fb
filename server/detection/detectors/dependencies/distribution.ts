/**
 * The ecosystem of a distribution's release as OSV spells it, from what os-release calls `ID` and `VERSION_ID`; null for
 * one whose advisories OSV doesn't have.
 */
export function distributionOf(id: string, version: string): string | null {
  const [major = '', minor = ''] = version.split('.');
  switch (id.toLowerCase()) {
    case 'debian':
      return major && `Debian:${major}`;
    case 'ubuntu':
      // Releases of April in even years are supported for long, and named so.
      return minor && `Ubuntu:${major}.${minor}${minor === '04' && Number(major) % 2 === 0 ? ':LTS' : ''}`;
    case 'alpine':
      return minor && `Alpine:v${major}.${minor}`;
    case 'rocky':
      return major && `Rocky Linux:${major}`;
    case 'almalinux':
      return major && `AlmaLinux:${major}`;
    default:
      return null;
  }
}
