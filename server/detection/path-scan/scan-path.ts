import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { fetchRepository } from '../../data-sources/connectors/git.ts';
import type { Detection } from '../../findings/detection.ts';
import { makeTemporaryDirectory } from '../../platform/temporary-directory.ts';
import { directoryAdvisories } from '../advisories/directory-advisories.ts';
import type { Advisories } from '../contract/advisory.ts';
import { scanPathForCode } from '../detectors/code/scan-code-in-path.ts';
import type { Manifest } from '../detectors/dependencies/dependency.ts';
import { scanPathForDependencies } from '../detectors/dependencies/scan-dependencies-in-path.ts';
import { scanPathForInfrastructure } from '../detectors/infrastructure/scan-infrastructure-in-path.ts';
import { allRules } from '../detectors/secrets/all-rules.ts';
import { createSecretEngine } from '../detectors/secrets/engine.ts';
import { scanPathForSecrets } from '../detectors/secrets/scan-secrets-in-path.ts';
import { scanUrl } from '../detectors/web/scan-url.ts';
import { openPath, type PathTarget } from '../repository/path-target.ts';
import { listTools } from '../tools/index.ts';
import { scanPathWithTool } from '../tools/scan-path-with-tool.ts';
import { type FileSource, fileSources, type PathSource } from './path-sources.ts';

export type PathScanOptions = {
  /** Types of detection sources. */
  sources: readonly PathSource[];
  /** For a URL: the branch; null for the remote's default. */
  branch?: string | null;
  /** A directory of advisories in the layout of OSV's export, for `dependencies`. */
  advisories?: string | null;
  /** A folder with the operator's own rules for `code`. */
  codeRules?: string | null;
  signal: AbortSignal;
  progress?(fraction: number | null, message: string): void;
};

export type PathScanResult = {
  target: { name: string; kind: PathTarget['kind'] | 'website' };
  findings: Array<{ source: string; detection: Detection }>;
  warnings: string[];
  /** The manifests in which `dependencies` found packages. */
  manifests?: Manifest[];
};

type Scan = {
  home: string;
  signal: AbortSignal;
  progress(fraction: number | null, message: string): void;
  advisories: Advisories | null;
  codeRules: string | null;
};
type Scanned = { detections: Detection[]; warnings: string[]; manifests?: Manifest[] };
type Scanner = (target: PathTarget, scan: Scan) => Promise<Scanned>;

const scanners: Record<FileSource, Scanner> = {
  secrets: (target, scan) =>
    scanPathForSecrets(target, { ...scan, engine: createSecretEngine(allRules), rules: allRules, keyedHash }),
  dependencies: scanPathForDependencies,
  code: scanPathForCode,
  infrastructure: scanPathForInfrastructure,
};

/**
 * Scans a file, a directory, a git work tree (with uncommitted changes and its history), a repository's URL or a
 * website, without server or database. Throws an error that a person can act on: a RepositoryError, a TargetError, or
 * the file system's own.
 */
export async function scanPath(pathOrUrl: string, options: PathScanOptions): Promise<PathScanResult> {
  const temporary = await makeTemporaryDirectory();
  const home = temporary.path;
  const scan: Scan = {
    home,
    signal: options.signal,
    progress: options.progress ?? (() => {}),
    advisories: options.advisories ? directoryAdvisories(options.advisories) : null,
    codeRules: options.codeRules ?? null,
  };
  try {
    const files = fileSources.filter((source) => options.sources.includes(source));
    const web = options.sources.includes('web') ? await scanUrl(pathOrUrl, scan) : null;
    const tools = listTools().filter(({ type }) => options.sources.includes(type));
    if (web && files.length + tools.length === 0) return web;
    const target = isUrl(pathOrUrl) ? await fetchTarget(pathOrUrl, options, scan) : await openPath(pathOrUrl, scan);
    const result: PathScanResult = { target: { name: target.name, kind: target.kind }, findings: [], warnings: [] };
    for (const source of files) {
      const { detections, warnings, manifests } = await scanners[source](target, scan);
      if (manifests) result.manifests = manifests;
      result.findings.push(...detections.map((detection) => ({ source, detection })));
      result.warnings.push(...warnings);
    }
    for (const tool of tools) {
      const { detections, warnings } = await scanPathWithTool(tool, target, { ...scan, keyedHash });
      result.findings.push(...detections.map((detection) => ({ source: tool.type, detection })));
      result.warnings.push(...warnings);
    }
    result.findings.push(...(web?.findings ?? []));
    result.warnings.unshift(...target.warnings, ...(web?.warnings ?? []));
    return result;
  } finally {
    await temporary.remove();
  }
}

const isUrl = (text: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);

async function fetchTarget(url: string, options: PathScanOptions, scan: Scan): Promise<PathTarget> {
  const repository = await fetchRepository({
    url,
    branch: options.branch ?? null,
    credential: null,
    directory: join(scan.home, 'fetched'),
    signal: scan.signal,
    progress: scan.progress,
    proxyUrl: null,
    allowFile: true,
  });
  const name = /([^/:]+?)(\.git)?\/*$/.exec(url)?.[1] ?? url;
  return { name, kind: 'git_repository', files: null, repository, warnings: [] };
}

/**
 * A fixed key: there is no organization, and fingerprints should be the same on every machine. They reveal nothing to
 * anyone who can't read the secret in the target anyway.
 */
function keyedHash(value: string): string {
  return createHmac('sha256', 'assay scan').update(value).digest('base64url');
}
