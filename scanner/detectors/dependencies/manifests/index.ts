import { gemfileLock } from './bundler.ts';
import { cargoLock } from './cargo.ts';
import { composerLock } from './composer.ts';
import { conanLock } from './conan.ts';
import { cyclonedxJson, cyclonedxXml } from './cyclonedx.ts';
import { githubWorkflow } from './github-actions.ts';
import { goModule } from './go.ts';
import type { ManifestFormat } from './manifest-format.ts';
import { gradleLock, gradleVerification, mavenProject } from './maven.ts';
import { mixLock } from './mix.ts';
import { bunLock, npmLock, pnpmLock, yarnLock } from './npm.ts';
import { nugetConfig, nugetDeps, nugetLock } from './nuget.ts';
import { apkInstalled, dpkgStatus } from './operating-system.ts';
import { pubLock } from './pub.ts';
import { renvLock } from './renv.ts';
import { pdmLock, pipenvLock, poetryLock, pylock, requirements, uvLock } from './requirements.ts';
import { spdxJson, spdxTagValue, spdxXml } from './spdx.ts';

/** Every manifest format. The first one that matches a file's path reads it. */
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
