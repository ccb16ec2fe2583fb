/**
 * Returns OSV's ecosystem for a distribution's release, from `ID` and `VERSION_ID` of os-release; null if OSV has no
 * advisories for it.
 */
export function distributionOf(id: string, version: string): string | null {
  const [major = '', minor = ''] = version.split('.');
  switch (id.toLowerCase()) {
    case 'debian':
      return major && `Debian:${major}`;
    case 'ubuntu':
      // April releases in even years have long-term support, and "LTS" in their name.
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
