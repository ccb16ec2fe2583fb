import { bunLock } from './bun.ts';
import { gemfileLock } from './bundler.ts';
import { cargoLock } from './cargo.ts';
import { composerLock } from './composer.ts';
import { conanLock } from './conan.ts';
import { cyclonedxJson, cyclonedxXml } from './cyclonedx.ts';
import { githubWorkflow } from './github-actions.ts';
import { goModule } from './go.ts';
import { gradleLock, gradleVerification } from './gradle.ts';
import type { ManifestFormat } from './manifest-format.ts';
import { mavenProject } from './maven.ts';
import { mixLock } from './mix.ts';
import { npmLock } from './npm.ts';
import { nugetConfig, nugetDeps, nugetLock } from './nuget.ts';
import { apkInstalled, dpkgStatus } from './operating-system.ts';
import { pipenvLock } from './pipenv.ts';
import { pnpmLock } from './pnpm.ts';
import { pubLock } from './pub.ts';
import { pdmLock, poetryLock, pylock, uvLock } from './python-toml.ts';
import { renvLock } from './renv.ts';
import { requirements } from './requirements.ts';
import { spdxJson, spdxTagValue, spdxXml } from './spdx.ts';
import { yarnLock } from './yarn.ts';

/** Every format of manifests. The first one that matches a file's path reads it. */
export const manifestFormats: readonly ManifestFormat[] = [
  npmLock,
  pnpmLock,
  yarnLock,
  bunLock,
  requirements,
  poetryLock,
  pipenvLock,
  uvLock,
  pdmLock,
  pylock,
  goModule,
  cargoLock,
  mavenProject,
  gradleLock,
  gradleVerification,
  gemfileLock,
  composerLock,
  nugetLock,
  nugetDeps,
  nugetConfig,
  conanLock,
  mixLock,
  pubLock,
  renvLock,
  githubWorkflow,
  dpkgStatus,
  apkInstalled,
  spdxJson,
  spdxXml,
  spdxTagValue,
  cyclonedxJson,
  cyclonedxXml,
];

export const findManifestFormat = (path: string): ManifestFormat | undefined =>
  manifestFormats.find((format) => format.matches(path));
