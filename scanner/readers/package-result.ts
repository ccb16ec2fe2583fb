import { packageIdentity } from '../contract/fingerprint.ts';
import type { Severity } from '../contract/severity.ts';
import type { Suppression } from '../contract/suppression.ts';
import type { ReadDetection } from './format.ts';
import { advisoryIdentifiers } from './identifiers.ts';
import { filePath } from './paths.ts';

/** A vulnerable package, with the facts that all tools report. */
export type VulnerablePackage = {
  source: string;
  /** The tool's own id of the advisory, which becomes the rule's id. */
  advisory: string;
  aliases?: string[];
  ecosystem: string;
  name: string;
  version: string | undefined;
  fixedVersion?: string;
  purl?: string;
  /** The lockfile or manifest; none for packages without one, such as those of an operating system. */
  manifest?: string;
  title?: string;
  description?: string;
  severity: Severity;
  score?: number;
  weaknesses?: string[];
  references?: string[];
  url?: string;
  line?: number | null;
  suppression?: Suppression;
};

/**
 * Identity: advisory, package and manifest (contract/fingerprint.ts). Reports for one manifest are one problem, with
 * its affected versions as locations.
 */
export function packageResult(found: VulnerablePackage): ReadDetection {
  const manifest = filePath(found.manifest);
  const version = found.version ?? '';
  const what = `${found.name}${version && ` ${version}`}`;
  return {
    source: found.source,
    identity: packageIdentity({
      advisory: found.advisory,
      aliases: found.aliases ?? [],
      ecosystem: found.ecosystem,
      name: found.name,
      purl: found.purl ?? null,
      version,
      manifest: manifest ?? '',
    }),
    equals: 'places',
    title: `${found.advisory} in ${what}${found.title ? `: ${found.title}` : ''}`,
    description: found.description ?? found.title,
    severity: found.severity,
    rule: { id: found.advisory, name: found.title, url: found.url },
    location: {
      path: manifest,
      start_line: found.line ?? null,
      end_line: found.line ?? null,
      package: {
        ecosystem: found.ecosystem,
        name: found.name,
        version: version || null,
        fixed_version: found.fixedVersion || null,
        purl: found.purl ?? null,
      },
    },
    identifiers: [...advisoryIdentifiers(found.advisory, ...(found.aliases ?? [])), ...(found.weaknesses ?? [])],
    cvss_score: found.score,
    remediation: found.fixedVersion ? `Upgrade ${found.name} to ${found.fixedVersion}.` : undefined,
    references: [...(found.url ? [found.url] : []), ...(found.references ?? [])],
    suppression: found.suppression,
  };
}

const version = 'v?\\d[\\w+~:-]*(?:\\.[\\w+~:-]+)*';
const upgradeTo = new RegExp(
  `\\b(?:upgrade|update)\\b(?:[^.;\\n]|\\.(?=\\S)){0,200}?\\b(?:to|version)\\s+(?:[A-Za-z][\\w/.-]*\\s+)?(${version}(?:(?:,\\s*|\\s+or\\s+)${version})*)`,
  'i',
);

/** Returns the fixed versions in advice, `5.14.2, 4.8.1`, for tools that have no field for them; null without any. */
export const fixedVersionIn = (advice: string | undefined): string | null =>
  upgradeTo.exec(advice?.slice(0, 2_000) ?? '')?.[1]?.replaceAll(/\s+or\s+|,\s*/g, ', ') ?? null;

/** The ecosystem of a package URL, by its type; empty for other texts. */
export const purlType = (purl: string | undefined): string =>
  /^pkg:([a-z0-9.+-]+)\//i.exec(purl ?? '')?.[1]?.toLowerCase() ?? '';
