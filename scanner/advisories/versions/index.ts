import { baseEcosystem } from '../ecosystem.ts';
import { compareAlpine } from './alpine.ts';
import type { Compare } from './compare.ts';
import { compareCran } from './cran.ts';
import { compareDebian } from './debian.ts';
import { compareMaven } from './maven.ts';
import { compareNuget } from './nuget.ts';
import { comparePackagist } from './packagist.ts';
import { comparePypi } from './pypi.ts';
import { compareRedhat } from './redhat.ts';
import { compareRubygems } from './rubygems.ts';
import { compareSemver } from './semver.ts';

/** The OSV ecosystems whose packages are matched, each with its order of versions. */
const orders: Record<string, Compare> = {
  AlmaLinux: compareRedhat,
  Alpine: compareAlpine,
  Bitnami: compareSemver,
  CRAN: compareCran,
  ConanCenter: compareSemver,
  Debian: compareDebian,
  'GitHub Actions': compareSemver,
  Go: compareSemver,
  Hex: compareSemver,
  Maven: compareMaven,
  NuGet: compareNuget,
  Packagist: comparePackagist,
  Pub: compareSemver,
  PyPI: comparePypi,
  'Red Hat': compareRedhat,
  'Rocky Linux': compareRedhat,
  RubyGems: compareRubygems,
  SUSE: compareRedhat,
  SwiftURL: compareSemver,
  Ubuntu: compareDebian,
  'crates.io': compareSemver,
  npm: compareSemver,
  openSUSE: compareRedhat,
};

/** Names of the ecosystems that can be matched, in OSV's spelling. */
export const ecosystems: readonly string[] = Object.keys(orders);

/** Returns the version order of an ecosystem; undefined for an unknown one. */
export const orderOf = (ecosystem: string): Compare | undefined => orders[baseEcosystem(ecosystem)];
